// A bot that accepts every challenge: node bot.mjs https://the.site TOKEN (how-to/bot.md).
import { createInterface } from "node:readline";
import { Readable } from "node:stream";

const [site, token] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${token}` };

function play(path, seat) {
  const socket = new WebSocket(site.replace("http", "ws") + path);
  const send = (frame) => socket.send(JSON.stringify(frame));
  let [round, busy, hand, tops, pile, aside] = [0, false, [], [], 0, 0];
  const follow = (line) => {
    if (line.decks) {
      const deck = line.decks[seat].split(" ");
      [round, hand, pile, aside] = [line.round, deck.slice(0, 3), deck.length - 3, 0];
      tops = line.decks.map(() => 0); // 0: the stack is empty
    } else if (line.do === "draw" && line.seat === seat) {
      hand.push(line.card);
      pile -= 1;
    } else if (["play", "discard", "tie"].includes(line.do)) {
      const kept = hand.filter((card) => ![line.card, ...(line.cards ?? [])].includes(card));
      if (line.do === "play") tops[line.stack] = line.takes ? 0 : (line.as ?? Number(line.card[1]));
      else aside += hand.length - kept.length;
      hand = kept;
    } else if (line.do === "end") round = 0;
    if (!pile) [pile, aside] = [aside, 0];
  };
  const act = (rested) => {
    busy &&= !rested;
    if (!round || busy) return;
    busy = true;
    send({ type: "act", id: crypto.randomUUID(), round, ...choose(hand, tops, pile, aside) });
  };
  socket.onopen = () => send({ type: "hello", v: 1, token });
  socket.onmessage = ({ data }) => {
    const frame = JSON.parse(data);
    if (frame.type === "state" && !frame.seats[seat].ready) send({ type: "ready", ready: true });
    frame.lines?.forEach(follow);
    if (frame.lines) send({ type: "got", seq: frame.seq + frame.lines.length });
    if (!["ack", "refused"].includes(frame.type)) act();
    else setTimeout(act, frame.wait_ms || 50, true);
  };
}

function choose(hand, tops, pile, aside) {
  if (hand.length < 3 && pile) return { do: "draw" };
  for (const card of hand) {
    const fits = (top) => (card[1] === "R" ? top > 0 : Math.abs(card[1] - top) === 1);
    if (tops.some(fits)) return { do: "play", card, stack: tops.findIndex(fits) };
  }
  return hand.length && pile + aside ? { do: "discard", card: hand[0] } : { do: "out" };
}

const { body } = await fetch(`${site}/api/v1/stream`, { headers });
for await (const line of createInterface({ input: Readable.fromWeb(body) })) {
  const { type, challenge, socket, seat } = JSON.parse(line);
  if (type === "match") play(socket, seat);
  if (type !== "challenge") continue;
  await fetch(`${site}/api/v1/challenges/${challenge}/accept`, { method: "POST", headers });
}
