import { deepEqual } from "node:assert/strict";
import { test } from "node:test";
import { choose } from "./choose.js";

const card = (colour: string, face: string) => ({ colour, face });
const lays = (colour: string, named = "COLOUR_UNSPECIFIED", lawful = true) => ({
  action: { playCard: { card: card(colour, "FACE_ONE"), colour: named } },
  lawful,
});
const draws = { action: { drawCard: {} }, lawful: true };
const hand = [["RED", 1], ["BLUE", 1], ["BLUE", 2]].map(([colour, face]) => card(`COLOUR_${colour}`, `FACE_${face}`));
const chosen = (...legalActions: unknown[]) => choose({ view: { hand }, legalActions } as never);

test("lays the colour held most", () => {
  deepEqual(chosen(lays("COLOUR_RED"), lays("COLOUR_BLUE"), draws), 1);
});

test("names the colour held most with a wild", () => {
  deepEqual(chosen(lays("COLOUR_WILD", "COLOUR_GREEN"), lays("COLOUR_WILD", "COLOUR_BLUE"), draws), 1);
});

test("does not bluff", () => {
  deepEqual(chosen(lays("COLOUR_WILD", "COLOUR_BLUE", false), draws), 1);
});

test("takes the first action where no card can be laid", () => {
  deepEqual(chosen({ action: { acceptDraw: {} }, lawful: true }, { action: { challenge: {} }, lawful: true }), 0);
});
