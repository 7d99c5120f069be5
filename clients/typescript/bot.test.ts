import { deepEqual, match } from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import type { PlayRequest__Output as Request } from "./dist/types/lastcard/v1/PlayRequest.js";
import type { PlayResponse as News } from "./dist/types/lastcard/v1/PlayResponse.js";
import type { ProtoGrpcType as Plays } from "./dist/types/play_service.js";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const form = { includeDirs: [path("../../../proto")], enums: String, defaults: true };
const contract = loadSync("lastcard/v1/play_service.proto", form);
const { lastcard } = grpc.loadPackageDefinition(contract) as unknown as Plays;

const turn = (matchId: string, number: number, history = "") => ({
  matchId,
  turn: number,
  legalActions: [{ action: { drawCard: {} }, lawful: true }],
  history: Buffer.from(history),
});
const over = (matchId: string) => ({ matchId, result: { places: [1, 2] } });
const histories = (messages: Request[]) =>
  messages.flatMap(({ answers }) => answers).map(({ turn, history }) => `${turn}: ${history}`);

/**
 * Runs the bot; each stream answers message by message, and then ends. Returns what the bot sent
 * on each of them and on a last one, which sends it home, and what it printed.
 */
async function played(...streams: News[][]): Promise<{ sent: Request[][]; printed: string }> {
  const sent: Request[][] = [];
  const server = new grpc.Server();
  server.addService(lastcard.v1.PlayService.service, {
    play(stream: grpc.ServerDuplexStream<Request, News>) {
      const news = streams[sent.length] ?? [{ closing: { reason: "CLOSING_REASON_REPLACED" } }];
      const messages: Request[] = [];
      sent.push(messages);
      stream.on("data", (message: Request) => {
        if (messages.length === news.length) return;
        stream.write(news[messages.push(message) - 1]!);
        if (messages.length === news.length) stream.end();
      });
    },
  });
  const port = await new Promise((resolve, reject) =>
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  const env = { ...process.env, LASTCARD_ADDRESS: `127.0.0.1:${port}`, LASTCARD_KEY: "lck_test" };
  const bot = promisify(execFile)(process.execPath, [path("bot.js")], { env, timeout: 30_000 });
  const { stdout, stderr } = await bot.catch((error) => error);
  server.forceShutdown();
  match(stderr, /^the server closed the stream: CLOSING_REASON_REPLACED\n$/);
  return { sent, printed: stdout };
}

test("asks for the ends that came while no stream was open, and tells each once", async () => {
  const { sent, printed } = await played(
    [{ turns: [turn("a", 1), turn("b", 1)] }, { matchesOver: [over("b")] }],
    [{ matchesOver: [over("a"), over("a")] }],
  );
  deepEqual(sent.map(([first]) => first!.hello!.matchIds), [[], ["a"], []]);
  deepEqual(printed, "b places 1 2\na places 1 2\n");
});

test("hands the history of an acceptance back with a turn that is asked anew", async () => {
  const accepted = [{ matchId: "m", turn: 7, version: 8, history: Buffer.from("nine") }];
  const { sent } = await played(
    [{ turns: [turn("m", 7, "seven")] }, { accepted }],
    [{ turns: [turn("m", 7, "seven")] }, {}],
  );
  deepEqual(sent.map(histories), [["7: seven"], ["7: nine"], ["7: nine"]]);
});

test("hands back with an answer that is sent again what was heard since", async () => {
  const error = { reason: "ERROR_REASON_STORE_UNAVAILABLE" as const };
  const refused = [{ matchId: "m", turn: 1, error }];
  const accepted = [{ matchId: "m", seat: 1, turn: 1, version: 3, history: Buffer.from("three") }];
  const { sent } = await played([{ turns: [turn("m", 1, "one")] }, { refused, accepted }], [{}]);
  deepEqual(sent.map(histories), [["1: one"], ["1: three"], ["1: three"]]);
});

test("takes a match whose history is refused as lost for one that is over", async () => {
  const error = { reason: "ERROR_REASON_HISTORY_LOST" as const };
  const lost = [{ refused: [{ matchId: "m", turn: 1, error }] }];
  const { sent, printed } = await played([{ turns: [turn("m", 1, "one")] }, ...lost], [{}]);
  deepEqual(sent.map(([first]) => first!.hello!.matchIds), [[], [], []]);
  deepEqual(printed, "m places\n");
});
