/** A bot without an SDK. `npm start TABLE` plays one match, `npm start` all seats of a key. */
import { randomBytes, randomUUID } from "node:crypto";
import { promisify } from "node:util";
import * as grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { choose } from "./choose.js";
import type { Answer } from "./dist/types/lastcard/v1/Answer.js";
import type { PlayResponse__Output as News } from "./dist/types/lastcard/v1/PlayResponse.js";
import type { ProtoGrpcType as Matches } from "./dist/types/match_service.js";
import type { ProtoGrpcType as Plays } from "./dist/types/play_service.js";
import { Heard } from "./heard.js";
import { Patience } from "./patience.js";
import { root, server, type Server } from "./server.js";

const files = ["match_service", "play_service"].map((name) => `lastcard/v1/${name}.proto`);
const form = { includeDirs: [root("proto")], enums: String, defaults: true };
const { lastcard } = grpc.loadPackageDefinition(loadSync(files, form)) as unknown as Matches & Plays;

/** Lets every call carry the key, and a channel look every second for a lost server. */
function caller({ target, tls, key }: Server) {
  const bearer: grpc.Interceptor = (options, next) =>
    new grpc.InterceptingCall(next(options), {
      start: (metadata, listener, begin) => {
        metadata.set("authorization", `Bearer ${key}`);
        begin(metadata, listener);
      },
    });
  const credentials = tls ? grpc.credentials.createSsl() : grpc.credentials.createInsecure();
  const options = { interceptors: [bearer], "grpc.max_reconnect_backoff_ms": 1_000 };
  return [target, credentials, options] as const;
}

/** Takes a seat at a table: in the first of the matches NAME, NAME-2, NAME-3 that is not over. */
async function sit(table: string, there: Server): Promise<string> {
  if (!/^[A-Za-z0-9_-]{1,60}$/.test(table))
    throw new Error(`'${table}' is no table: 1 to 60 letters, digits, - or _ are`);
  const matches = new lastcard.v1.MatchService(...caller(there));
  const patience = new Patience(there);
  const create = promisify(matches.createMatch.bind(matches));
  const join = promisify(matches.joinMatch.bind(matches));
  const [rules, seats] = [{ preset: "standard_no" }, [{ open: {} }, { open: {} }]];
  for (let number = 1, requestId = table; ; number += 1, requestId = `${table}-${number}`) {
    const created = await patience.until(() => create({ rules, seats, requestId }));
    const { matchId, state } = created!.match!;
    if (/FINISHED|CANCELLED|FROZEN/.test(state)) continue;
    const request = { matchId, name: "TypeScript", requestId: randomUUID() };
    const joined = (await patience.until(() => join(request)))!;
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
async function play(there: Server, once: boolean): Promise<void> {
  const service = new lastcard.v1.PlayService(...caller(there));
  const patience = new Patience(there);
  const [instance, heard] = [randomUUID(), new Heard()];
  const unsettled = new Map<string, Answer>();
  const id = ({ matchId, seat, turn }: Answer) => `${matchId}/${seat}/${turn}`;
  const dated = (answer: Answer) => ({ ...answer, history: heard.newest(answer.matchId!) });
  for (;;) {
    let failure: unknown;
    const stream = service.play().on("error", () => undefined);
    const hello = { instance, matchIds: heard.asks() };
    stream.write({ hello, answers: [...unsettled.values()].map(dated) });
    try {
      for await (const news of stream as AsyncIterable<News>) {
        patience.answered();
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
      failure = error;
    } finally {
      stream.cancel();
    }
    await patience.wait(failure);
  }
}

try {
  const there = server(process.env);
  const table = process.argv[2];
  if (!table) await play(there, false);
  else await play({ ...there, key: await sit(table, there), origin: "the seat token" }, true);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
