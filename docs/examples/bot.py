"""A bot that accepts every challenge: python bot.py https://the.site TOKEN (how-to/bot.md)."""

import json
import sys
from http.client import HTTPException
from threading import Thread
from time import sleep, time_ns
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

SITE, BEARER = sys.argv[1], {"Authorization": f"Bearer {sys.argv[2]}"}
seated = set()


def report(where, error):
    sys.stderr.write(f"{where}: {error.read().decode() if hasattr(error, 'read') else error}\n")


def attend(path, seat):
    """Play until the table is over. Connect again when the connection breaks."""
    while path in seated:
        try:
            play(path, seat)
            seated.discard(path)
        except (OSError, WebSocketException) as error:
            report(path, error)
            closed = getattr(error, "rcvd", None)
            if closed and closed.code in (4403, 4404):  # not, or no longer, a seat of ours
                seated.discard(path)
            sleep(2)


def play(path, seat):
    deal, busy = 0, False
    with connect(SITE.replace("http", "ws", 1) + path, additional_headers=BEARER) as socket:
        socket.send('{"type":"hello","v":1}')
        for frame in map(json.loads, socket):
            if frame["type"] == "state" and not frame["seats"][seat]["ready"]:
                socket.send('{"type":"ready","ready":true}')
            for line in frame.get("lines", ()):
                if "decks" in line:
                    deal, hand = line["round"], line["decks"][seat].split()
                    hand, pile, aside, tops = hand[:3], len(hand) - 3, 0, [0] * len(line["decks"])
                elif line.get("do") == "draw" and line["seat"] == seat:
                    hand, pile = [*hand, line["card"]], pile - 1
                elif line.get("do") in ("play", "discard", "tie"):
                    gone = {line.get("card"), *line.get("cards", ())}.intersection(hand)
                    hand = [card for card in hand if card not in gone]
                    aside += 0 if line["do"] == "play" else len(gone)
                    if line["do"] == "play":
                        top = 0 if "takes" in line else line.get("as") or line["card"][1]
                        tops[line["stack"]] = int(top)
                deal = deal if line.get("do") != "end" else 0
                pile, aside = (pile, aside) if pile else (aside, 0)
            if frame["type"] == "lines":
                socket.send(json.dumps({"type": "got", "seq": frame["seq"] + len(frame["lines"])}))
            elif frame["type"] in ("ack", "refused"):
                sleep(max(50, frame.get("wait_ms", 0)) / 1000)
                busy = False
            if deal and not busy:
                busy, act = True, {"type": "act", "id": str(time_ns()), "round": deal}
                socket.send(json.dumps(act | choose(hand, tops, pile, aside)))


def choose(hand, tops, pile, aside):
    if len(hand) < 3 and pile:
        return {"do": "draw"}
    for card, (stack, top) in ((card, place) for card in hand for place in enumerate(tops)):
        if top if card[1] == "R" else abs(int(card[1]) - top) == 1:
            return {"do": "play", "card": card, "stack": stack}
    return {"do": "discard", "card": hand[0]} if hand and (pile or aside) else {"do": "out"}


def accept(challenge):
    try:
        urlopen(Request(f"{SITE}/api/v1/challenges/{challenge}/accept", b"", BEARER)).close()
    except OSError as error:
        report("not accepted", error)


def follow():
    """Hear of challenges and matches until the stream ends. A new one names all matches again."""
    with urlopen(Request(f"{SITE}/api/v1/stream", headers=BEARER), timeout=10) as stream:
        for news in map(json.loads, stream):
            if news["type"] == "challenge":
                Thread(target=accept, args=[news["challenge"]]).start()
            elif news["type"] == "match" and news["socket"] not in seated:
                seated.add(news["socket"])
                Thread(target=attend, args=(news["socket"], news["seat"]), daemon=True).start()


while True:
    try:
        follow()
    except (OSError, HTTPException, ValueError) as error:
        report("the site is away", error)
        if isinstance(error, HTTPError) and error.code in (401, 403):  # the token is no good
            sys.exit(1)
    sleep(2)
