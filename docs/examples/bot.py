"""A bot that accepts every challenge: python bot.py https://the.site TOKEN (how-to/bot.md)."""

import json
import sys
from threading import Thread
from time import sleep, time_ns
from urllib.request import Request, urlopen

from websockets.sync.client import connect

SITE, BEARER = sys.argv[1], {"Authorization": f"Bearer {sys.argv[2]}"}


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


for news in map(json.loads, urlopen(Request(f"{SITE}/api/v1/stream", headers=BEARER))):
    if news["type"] == "challenge":
        accept = Request(f"{SITE}/api/v1/challenges/{news['challenge']}/accept", b"", BEARER)
        Thread(target=urlopen, args=[accept]).start()
    elif news["type"] == "match":
        Thread(target=play, args=(news["socket"], news["seat"]), daemon=True).start()
