/** A bot without an SDK. `npm start TABLE` plays one match, `npm start` all seats of a key. */
import { randomBytes, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { choose } from "./choose.js";
import type { Answer } from "./dist/types/lastcard/v1/Answer.js";
import type { PlayResponse__Output as News } from "./dist/types/lastcard/v1/PlayResponse.js";
import type { ProtoGrpcType as Matches } from "./dist/types/match_service.js";
import type { ProtoGrpcType as Plays } from "./dist/types/play_service.js";
import { Heard } from "./heard.js";

const root = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const files = ["match_service", "play_service"].map((name) => `lastcard/v1/${name}.proto`);
const form = { includeDirs: [root("proto")], enums: String, defaults: true };
const { lastcard } = grpc.loadPackageDefinition(loadSync(files, form)) as unknown as Matches & Plays;
const address = process.env.LASTCARD_ADDRESS ?? "127.0.0.1:50051";
const local = /^(localhost|127\.0\.0\.1|\[::1\]):/.test(address);
const plaintext = local || address.startsWith("http://");
const tls = plaintext ? grpc.credentials.createInsecure() : grpc.credentials.createSsl();
const target = address.replace(/^https?:\/\//, "");
const broken = ["UNAVAILABLE", "CANCELLED", "INTERNAL", "UNKNOWN"]; // by the connection

/** Lets every call carry a key or seat token, and a channel look every second for a lost server. */
function caller(token: string) {
  const bearer: grpc.Interceptor = (options, next) =>
    new grpc.InterceptingCall(next(options), {
      start: (metadata, listener, begin) => {
        metadata.set("authorization", `Bearer ${token}`);
        begin(metadata, listener);
      },
    });
  return { interceptors: [bearer], "grpc.max_reconnect_backoff_ms": 1_000 };
}

/** Takes a seat at a table: in the first of the matches NAME, NAME-2, NAME-3 that is not over. */
async function sit(table: string, key: string): Promise<string> {
  const matches = new lastcard.v1.MatchService(target, tls, caller(key));
  const create = promisify(matches.createMatch.bind(matches));
  const join = promisify(matches.joinMatch.bind(matches));
  const [rules, seats] = [{ preset: "standard_no" }, [{ open: {} }, { open: {} }]];
  for (let number = 1, requestId = table; ; number += 1, requestId = `${table}-${number}`) {
    const { matchId, state } = (await create({ rules, seats, requestId }))!.match!;
    if (/FINISHED|CANCELLED|FROZEN/.test(state)) continue;
    const joined = (await join({ matchId, name: "TypeScript", requestId: randomUUID() }))!;
    if (joined.match!.state === "MATCH_STATE_OPEN") console.error(`waiting for others at '${table}'`);
    return joined.seatToken;
  }
}

/** Answers a turn; the one that opens a match with bytes that nobody could foresee. */
function reply(turn: News["turns"][number]): Answer {
  const asked = { matchId: turn.matchId, seat: turn.seat, turn: turn.turn };
  if (turn.kind !== "TURN_KIND_READY") return { ...asked, choice: choose(turn), uno: true };
  return { ...asked, action: { ready: { nonce: randomBytes(32) } } };
}

/** Plays over one stream after another; answers that were not settled are sent again. */
async function play(token: string, once: boolean): Promise<void> {
  const service = new lastcard.v1.PlayService(target, tls, caller(token));
  const [instance, heard] = [randomUUID(), new Heard()];
  const unsettled = new Map<string, Answer>();
  const id = ({ matchId, seat, turn }: Answer) => `${matchId}/${seat}/${turn}`;
  const dated = (answer: Answer) => ({ ...answer, history: heard.newest(answer.matchId!) });
  for (let failures = 1; ; failures += 1) {
    const stream = service.play().on("error", () => undefined);
    const hello = { instance, matchIds: heard.asks() };
    stream.write({ hello, answers: [...unsettled.values()].map(dated) });
    try {
      for await (const news of stream as AsyncIterable<News>) {
        failures = 0;
        heard.see(news);
        const answers = news.turns.filter((turn) => !unsettled.has(id(turn))).map(reply);
        answers.forEach((answer) => unsettled.set(id(answer), answer));
        if (answers.length) stream.write({ answers: answers.map(dated) });
        const refused = news.refused.filter(({ error }) => !/DRAINING|STORE_UN/.test(error!.reason));
        [...news.accepted, ...refused].forEach((settled) => unsettled.delete(id(settled)));
        // A server that never knew a match refuses its history, and tells no end.
        const lost = refused.filter(({ error }) => /HISTORY_LOST/.test(error!.reason));
        const over = [...news.matchesOver, ...lost.map(({ matchId }) => ({ matchId, result: null }))];
        for (const { matchId, result } of over)
          if (heard.ends(matchId)) console.log(matchId, "places", ...(result?.places ?? []));
        if (once && over.length) return;
        const reason = news.closing?.reason ?? "";
        if (/REPLACED|REVOKED/.test(reason)) throw new Error(`the server closed the stream: ${reason}`);
        if (refused.length < news.refused.length) break;
      }
    } catch (error) {
      if (!broken.includes(grpc.status[(error as grpc.ServiceError).code]!)) throw error;
    } finally {
      stream.cancel();
    }
    await pause(Math.random() * Math.min(2_000, 100 * 2 ** failures));
  }
}

try {
  if (!local && !process.env.LASTCARD_KEY) throw new Error("LASTCARD_KEY is not set");
  const key = process.env.LASTCARD_KEY ?? readFileSync(root("var/organiser.key"), "utf8").trim();
  const table = process.argv[2];
  await play(table ? await sit(table, key) : key, Boolean(table));
} catch (error) {
  console.error((error as grpc.ServiceError).details ?? (error as Error).message);
  process.exitCode = 1;
}
