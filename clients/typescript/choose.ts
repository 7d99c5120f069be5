import type { Turn__Output as Turn } from "./dist/types/lastcard/v1/Turn.js";

/** Lays, or names, the colour held most; without a lawful card the first of the other actions. */
export function choose({ view, legalActions }: Turn): number {
  const worths = legalActions.map(({ action, lawful }) => {
    const { card, colour } = action?.playCard ?? {};
    if (!card || !lawful) return lawful ? -1 : -2;
    const follows = card.colour === "COLOUR_WILD" ? colour : card.colour;
    return view?.hand.filter((held) => held.colour === follows).length ?? 0;
  });
  return worths.indexOf(Math.max(...worths));
}
