import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { Heard } from "./heard.js";

type Told = Record<string, unknown>;
const none = { turns: [], updates: [], accepted: [], refused: [] };
const turn = (number: number, history = "", matchId = "m") => ({
  matchId,
  turn: number,
  history: Buffer.from(history),
});
const told = (version: number, history: string) => ({ ...turn(version, history), version });

/** Returns what a bot knows that has heard these messages. */
function heardOf(...messages: Told[]): Heard {
  const heard = new Heard();
  messages.forEach((message) => heard.see({ ...none, ...message } as never));
  return heard;
}

const own = { turns: [turn(5, "own")] };
const newest: [string, Told[], string][] = [
  ["turn of the highest number", [{ turns: [turn(7, "a")] }, { turns: [turn(9, "b")] }], "b"],
  ["turn that others come after", [{ turns: [turn(9, "a")] }, { turns: [turn(7, "late")] }], "a"],
  ["update", [{ updates: [told(9, "u")] }], "u"],
  ["refusal", [{ refused: [turn(7, "r")] }], "r"],
  ["turn where a refusal has none", [{ refused: [turn(7)] }], "own"],
  ["turn of the same match", [{ turns: [turn(9, "other", "n")] }], "own"],
  ["acceptance of a turn's own version", [{ accepted: [told(5, "after")] }], "after"],
];
for (const [which, messages, history] of newest)
  test(`keeps the newest history: that of the ${which}`, () => {
    equal(`${heardOf(own, ...messages, own).newest("m")}`, history);
  });

test("forgets the histories of which nothing was heard for longest", () => {
  const heard = heardOf(own, { turns: [turn(1, "a", "a")] }, own);
  for (let number = 1; number < 10_000; number += 1)
    heard.see({ ...none, turns: [turn(1, "b", `${number}`)] } as never);
  deepEqual([`${heard.newest("m")}`, heard.newest("a")], ["own", undefined]);
});

test("asks about matches of which it knows no end", () => {
  const heard = heardOf({ turns: [turn(1, "", "a"), turn(1, "", "b")] });
  deepEqual([heard.ends("b"), heard.ends("b")], [true, false]);
  heard.see({ ...none, turns: [turn(2, "", "b")] } as never);
  deepEqual(heard.asks(), ["a"]);
});

test("believes a new stream that a match goes on, whatever an older one told", () => {
  const heard = heardOf({ turns: [turn(2)] });
  equal(heard.ends("m"), true);
  deepEqual(heard.asks(), []);
  heard.see({ ...none, turns: [turn(1)] } as never);
  deepEqual([heard.asks(), heard.ends("m")], [["m"], true]);
});

test("asks about as many as a hello may name, the latest", () => {
  const turns = Array.from({ length: 1_001 }, (_, number) => turn(1, "", `${number}`));
  const asked = heardOf({ turns }).asks();
  deepEqual([asked.length, asked[0], asked.at(-1)], [1_000, "1", "1000"]);
});
