"""Ports of tests: nobody else gets them, however often their servers go."""

from __future__ import annotations

import socket

import pytest

from tests.services import free_port


def test_a_port_is_kept_while_its_server_is_away() -> None:
    port = free_port()
    here = ("127.0.0.1", port)
    for _ in range(2):
        with socket.create_server(here), socket.create_connection(here):
            pass
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(here)
        with socket.socket() as other, pytest.raises(OSError, match="in use"):
            other.bind(here)
