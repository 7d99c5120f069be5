import type { LegalAction__Output as LegalAction } from "./dist/types/lastcard/v1/LegalAction.js";
import type { Turn__Output as Turn } from "./dist/types/lastcard/v1/Turn.js";

/** Follows, or names, the colour held most; without a lawful card the first of the other actions. */
export function choose({ view, legalActions }: Turn): number {
  const worth = ({ action, lawful }: LegalAction): number => {
    const { card, colour } = action?.playCard ?? {};
    if (!card || !lawful) return lawful ? -1 : -2;
    const follows = card.colour === "COLOUR_WILD" ? colour : card.colour;
    return view?.hand.filter((held) => held.colour === follows).length ?? 0;
  };
  const worths = legalActions.map(worth);
  return worths.indexOf(Math.max(...worths));
}
