import { deepEqual, match } from "node:assert/strict";
import { execFile, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
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

/** Serves the contract at a port, 0 = any that is free; returns how to end it, and the port. */
async function served(play: grpc.handleBidiStreamingCall<Request, News>, port = 0) {
  const server = new grpc.Server();
  server.addService(lastcard.v1.PlayService.service, { play });
  const credentials = grpc.ServerCredentials.createInsecure();
  const bind = promisify(server.bindAsync.bind(server));
  return { server, port: await bind(`127.0.0.1:${port}`, credentials) };
}

/** Starts the bot for a server at a port of this machine. */
function started(port: number, ...args: string[]) {
  const env = { ...process.env, LASTCARD_ADDRESS: `127.0.0.1:${port}`, LASTCARD_KEY: "lck_test" };
  return execFile(process.execPath, [path("bot.js"), ...args], { env, timeout: 30_000 });
}

/** Returns how a bot has ended, and what it has printed. */
async function ended(bot: ChildProcess): Promise<{ code: number; stdout: string; stderr: string }> {
  const texts = [bot.stdout!, bot.stderr!].map((stream) => stream.setEncoding("utf8").toArray());
  const [[code], stdout, stderr] = await Promise.all([once(bot, "close"), ...texts]);
  return { code, stdout: stdout!.join(""), stderr: stderr!.join("") };
}

/**
 * Runs the bot; each stream answers message by message, and then ends. Returns what the bot sent
 * on each of them and on a last one, which sends it home, and what it printed.
 */
async function played(...streams: News[][]): Promise<{ sent: Request[][]; printed: string }> {
  const sent: Request[][] = [];
  const { server, port } = await served((stream) => {
    const news = streams[sent.length] ?? [{ closing: { reason: "CLOSING_REASON_REPLACED" } }];
    const messages: Request[] = [];
    sent.push(messages);
    stream.on("data", (message: Request) => {
      if (messages.length === news.length) return;
      stream.write(news[messages.push(message) - 1]!);
      if (messages.length === news.length) stream.end();
    });
  });
  const { stdout, stderr } = await ended(started(port));
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

test("refuses what is no table", async () => {
  const { code, stderr } = await ended(started(1, "no table"));
  deepEqual([code, stderr], [1, "'no table' is no table: 1 to 60 letters, digits, - or _ are\n"]);
});

test("waits for a server that is away, says so once, and names a key that is wrong", async () => {
  const unknown: grpc.handleBidiStreamingCall<Request, News> = (stream) => {
    stream.emit("error", { code: grpc.status.UNAUTHENTICATED, details: "no" });
  };
  const before = await served(unknown);
  before.server.forceShutdown();
  for (const args of [[], ["kitchen"]]) {
    const bot = started(before.port, ...args);
    const end = ended(bot);
    await once(bot.stderr!, "data");
    await pause(500); // in which it tries again more than once
    const { server } = await served(unknown, before.port);
    const { code, stderr } = await end;
    server.forceShutdown();
    const [first, last, ...more] = stderr.split("\n");
    match(first!, /^no lastcard server answers at 127\.0\.0\.1:\d+; .*; trying again$/);
    match(last!, /^the (key in LASTCARD_KEY is not one of the )?server at 127\.0\.0\.1:\d+/);
    deepEqual([code, more], [1, [""]]);
  }
});
