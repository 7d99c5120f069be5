import type { PlayResponse__Output as News } from "./dist/types/lastcard/v1/PlayResponse.js";

type Telling = { matchId: string; history: Buffer };

const MOST_HISTORIES = 10_000; // of matches that are over too: their ends may be lost
const MOST_ASKED = 1_000; // in one hello, by the contract

/** What was heard of the matches, so that no end is missed and no loss stays unnoticed. */
export class Heard {
  private readonly histories = new Map<string, { least: number; history: Buffer }>();
  private readonly live = new Set<string>();
  private readonly over = new Set<string>();

  /** Notes what a message says; before any of its turns is answered. */
  see({ turns, updates, accepted, refused }: News): void {
    turns.forEach((told) => this.keep(told, told.turn));
    updates.forEach((told) => this.keep(told, told.version));
    // Of one version these are younger than a turn: in a reaction both name what opened it.
    accepted.forEach((told) => this.keep(told, told.version + 0.5));
    refused.forEach((told) => this.keep(told, told.turn + 0.5));
    const live = turns.filter(({ matchId }) => !this.over.has(matchId));
    live.forEach(({ matchId }) => limit(this.live.add(matchId), MOST_ASKED));
  }

  /** Notes that a match is over; returns whether this stream had not told it before. */
  ends(matchId: string): boolean {
    const known = this.over.has(matchId);
    limit(this.over.add(matchId), MOST_ASKED);
    this.live.delete(matchId);
    return !known;
  }

  /** Returns the matches to ask about on a new stream: an end may have come while none was open. */
  asks(): string[] {
    this.over.clear(); // a store that has lost an end plays on, to be told once more
    return [...this.live];
  }

  /** Returns what goes back with each answer: a turn asked anew after a loss has an old history. */
  newest(matchId: string): Buffer | undefined {
    return this.histories.get(matchId)?.history;
  }

  /** Keeps a history of this version or a later one, unless a newer one is known. */
  private keep({ matchId, history }: Telling, least: number): void {
    if (!history.length) return;
    const told = { least, history };
    const known = this.histories.get(matchId) ?? told;
    this.histories.delete(matchId); // so that it becomes the last to be forgotten
    this.histories.set(matchId, least < known.least ? known : told);
    limit(this.histories, MOST_HISTORIES);
  }
}

/** Forgets the first of more than so many matches. */
function limit(matches: Map<string, unknown> | Set<string>, most: number): void {
  if (matches.size > most) matches.delete(matches.keys().next().value!);
}
