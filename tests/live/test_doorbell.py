"""The doorbell between processes, through a Redis that comes and goes."""

import logging
from collections.abc import Callable

import pytest
from channels_redis.pubsub import RedisPubSubChannelLayer

from games.live.cluster import channel_layer
from games.live.cluster.channel_layer import ChannelLayerDoorbell
from tests.processes.clients import met
from tests.services import Redis


@pytest.mark.redis
@pytest.mark.slow
async def test_an_outage_is_logged_once_when_it_begins_and_once_when_it_ends(
    redis: Redis, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channel_layer, "PROBE_S", 0.2)
    heard: list[tuple[int, str, int]] = []
    layers = [RedisPubSubChannelLayer(hosts=[redis.url]) for _ in range(2)]
    bells = [ChannelLayerDoorbell(layer, str(name)) for name, layer in enumerate(layers)]

    def told() -> list[str]:
        return [record.getMessage() for record in caplog.records if record.levelno >= logging.INFO]

    def rings(seq: int) -> bool:
        bells[1].ring("m", seq)
        return (0, "m", seq) in heard

    def listener(number: int) -> Callable[[str, int], None]:
        return lambda match, seq: heard.append((number, match, seq))

    with caplog.at_level(logging.INFO):
        for number, bell in enumerate(bells):
            bell.start(listener(number))
        await met(lambda: rings(1))
        redis.stop()
        await met(lambda: len(told()) == 2)
        begun = told()
        redis.start()
        await met(lambda: rings(2), 20)
        await met(lambda: len(told()) == 4)
        for bell in bells:
            bell.stop()
        for layer in layers:
            await layer.flush()
    assert not [ring for ring in heard if ring[:2] == (1, "m")], "a process hears the others only"
    assert all(line.startswith("the doorbell between processes is out of order") for line in begun)
    assert told()[2:] == ["the doorbell between processes works again"] * 2
    assert not [record for record in caplog.records if record.exc_info]
