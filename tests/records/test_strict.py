"""JSON, and nothing that is only nearly JSON."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.records.strict import Malformed, decode

SURROGATES = st.characters(categories=["Cs"])
WHOLES = st.integers(min_value=-(10**13), max_value=10**13)
VALUES = st.recursive(
    st.none() | st.booleans() | WHOLES | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(VALUES, st.booleans())
def test_what_json_holds_is_read(value: object, escaped: bool) -> None:
    assert decode(json.dumps(value, ensure_ascii=escaped).encode()) == value


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"", "blank line"),
        (b" \t ", "blank line"),
        (b'{"a":1}\r', "0x0D"),
        (b'{"a":\r1}', "0x0D"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
        (b'{"a":"\xff"}', "not UTF-8"),
        (b'{"a":"\xed\xa0\x80"}', "not UTF-8"),
        (b'{"a":"\xc0\xaf"}', "not UTF-8"),
        ('{"a":1}'.encode("utf-16"), "not UTF-8"),
        (b"{", "not JSON"),
        (b"{'a':1}", "not JSON"),
        (b'{"a":1,}', "not JSON"),
        (b'{"a":1} {}', "not JSON"),
        (b'{"a":01}', "not JSON"),
        (b'{"a":+1}', "not JSON"),
        (b'{"a":"\x00"}', "not JSON"),
        (b'{"a":"\t"}', "not JSON: invalid control character at character 7"),
        (b"\xc2\xa0{}", "not JSON"),
        (b'{"a":NaN}', "NaN"),
        (b'{"a":Infinity}', "Infinity"),
        (b'{"a":-Infinity}', "-Infinity"),
        (b'{"a":1.0}', "whole number"),
        (b'{"a":1e3}', "whole number"),
        (b'{"a":1E400}', "whole number"),
        (b'{"a":0.1}', "whole number"),
        (b'{"a":1,"a":1}', 'duplicate key "a"'),
        (b'{"a":1,"\\u0061":2}', 'duplicate key "a"'),
        (b'{"b":{"a":1,"c":2,"a":3}}', 'duplicate key "a"'),
        (b'{"a":"\\ud800"}', "lone surrogate"),
        (b'{"a":["x\\uDFFFy"]}', "lone surrogate"),
        (b'{"\\udc00\\ud800":1}', "lone surrogate"),
        (b'{"a":"\\ud83d\\u0041"}', "lone surrogate"),
    ],
)
def test_what_is_not_quite_json_is_refused(raw: bytes, words: str) -> None:
    with pytest.raises(Malformed, match=words):
        decode(raw)


def test_an_escaped_pair_of_surrogates_is_a_character() -> None:
    assert decode(b'"\\ud83d\\ude00"') == "\U0001f600"


@pytest.mark.parametrize("opening", [b"[", b'{"a":', b'[{"a":['])
def test_deep_nesting_is_refused(opening: bytes) -> None:
    with pytest.raises(Malformed, match="deep"):
        decode(opening * (60_000 // len(opening)))


@pytest.mark.parametrize("digits", [16, 400, 5_000, 60_000])
def test_huge_numbers_are_refused_unread(digits: int) -> None:
    with pytest.raises(Malformed, match="out of range"):
        decode(b'{"a":' + b"9" * digits + b"}")


def test_many_duplicate_keys_cost_no_time() -> None:
    pairs = ",".join(f'"{number}":0' for number in range(6_000))
    with pytest.raises(Malformed, match='duplicate key "5999"'):
        decode(f'{{{pairs},"5999":1}}'.encode())


@given(st.text(max_size=5), SURROGATES, st.text(max_size=5))
def test_a_lone_surrogate_is_found_wherever_it_stands(left: str, half: str, right: str) -> None:
    raw = json.dumps({"x": [left + half + right]}).encode()
    with pytest.raises(Malformed, match="lone surrogate"):
        decode(raw)
