/** What a failed call means, and for how long it is tried again. */
import { setTimeout as pause } from "node:timers/promises";
import { status, type ServiceError } from "@grpc/grpc-js";
import type { Server } from "./server.js";

const PATIENCE_MS = 60_000;
const DETAIL_KEY = "lastcard-error-bin"; // what a server of ours says itself carries this
const BROKEN = ["UNAVAILABLE", "CANCELLED", "INTERNAL", "UNKNOWN", "ABORTED"]; // by the connection

/** Waits for a server that is away: longer each time, saying so once, and not for ever. */
export class Patience {
  private failures = 0;
  private silentSince = 0;
  private told = false;

  constructor(
    private readonly server: Server,
    private readonly patience = PATIENCE_MS,
  ) {}

  /** Begins anew: the server has answered. */
  answered(): void {
    this.failures = 0;
    this.told = false;
  }

  /** Repeats a call, which must do no harm if it is done twice, until it is answered. */
  async until<T>(call: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const answer = await call();
        this.answered();
        return answer;
      } catch (error) {
        await this.wait(error);
      }
    }
  }

  /** Waits before the next attempt; throws, in one sentence, what waiting does not mend. */
  async wait(error?: unknown): Promise<void> {
    const { target } = this.server;
    const reason = error ? this.passing(error) : `the server at ${target} ended the stream`;
    if (!this.failures) this.silentSince = Date.now();
    this.failures += 1;
    const longest = Math.min(2_000, 100 * 2 ** this.failures);
    if (Date.now() + longest - this.silentSince > this.patience) throw new Error(reason);
    if (error && !this.told) console.error(`${reason}; trying again`);
    this.told ||= Boolean(error);
    await pause(Math.random() * longest);
  }

  /** Returns what a failure means that passes; throws what one means that does not. */
  private passing(error: unknown): string {
    const { code, details, metadata } = error as ServiceError;
    const { target, origin } = this.server;
    const name = status[code];
    if (!name) throw error; // it is none of a call
    if (name === "UNAUTHENTICATED")
      throw new Error(`${origin} is not one of the server at ${target}, or was revoked`);
    const ours = metadata.get(DETAIL_KEY).length > 0;
    if (ours && name === "UNAVAILABLE") return details;
    if (ours) throw new Error(details);
    if (/certificate|SSL routines/i.test(details))
      throw new Error(`the server at ${target} is not trusted; http:// is for one without TLS`);
    if (name === "UNIMPLEMENTED")
      throw new Error(`the server at ${target} is no lastcard server of this version`);
    if (!BROKEN.includes(name)) throw new Error(`the call to ${target} failed: ${name}: ${details}`);
    return `no lastcard server answers at ${target}; 'lastcard serve' starts one`;
  }
}
