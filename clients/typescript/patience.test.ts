import { deepEqual, equal, match, rejects, throws } from "node:assert/strict";
import { test } from "node:test";
import { Metadata, status } from "@grpc/grpc-js";
import { Patience } from "./patience.js";
import { server } from "./server.js";

const there = { target: "host:1", tls: false, key: "lck_test", origin: "the key given" };
const failed = (code: status, details = "", metadata = new Metadata()) =>
  Object.assign(new Error(), { code, details, metadata });

test("gives up when no server has answered for too long, and says where none does", async () => {
  const patience = new Patience(there, 500);
  let calls = 0;
  const call = async () => {
    calls += 1;
    throw failed(status.UNAVAILABLE, "connect ECONNREFUSED");
  };
  const message = /^no lastcard server answers at host:1; [^\n]*$/;
  await rejects(patience.until(call), { message });
  equal(calls > 1, true);
});

test("gives up on a server that ends every stream without a word", async () => {
  const patience = new Patience(there, 0);
  await rejects(patience.wait(), { message: "the server at host:1 ended the stream" });
});

test("says at once what waiting does not mend", async () => {
  const detail = new Metadata();
  detail.set("lastcard-error-bin", Buffer.from("x"));
  const patience = new Patience(there);
  const said = (error: Error) => patience.wait(error).catch(({ message }: Error) => message);
  match((await said(failed(status.UNAUTHENTICATED)))!, /^the key given is not one of .* host:1,/);
  match((await said(failed(status.UNAVAILABLE, "self-signed certificate")))!, /is not trusted; /);
  match((await said(failed(status.UNIMPLEMENTED)))!, /no lastcard server of this version$/);
  match((await said(failed(status.INTERNAL, "Incident 7.", detail)))!, /^Incident 7\.$/);
  match((await said(failed(status.NOT_FOUND, "No.")))!, /failed: NOT_FOUND: No\.$/);
  match((await said(new Error("of the bot's own")))!, /^of the bot's own$/);
});

test("finds the server and whether it is spoken to in the clear", () => {
  const found = (address: string) => {
    const { target, tls } = server({ LASTCARD_ADDRESS: address, LASTCARD_KEY: "lck_test" });
    return `${target} ${tls}`;
  };
  deepEqual(["localhost:1", "https://[::1]:1"].map(found), ["localhost:1 false", "[::1]:1 true"]);
  deepEqual(["host:1", "http://host:1"].map(found), ["host:1 true", "host:1 false"]);
});

test("refuses what is no address and no key", () => {
  const refused = (LASTCARD_ADDRESS: string, LASTCARD_KEY: string, message: RegExp) =>
    throws(() => server({ LASTCARD_ADDRESS, LASTCARD_KEY }), { message });
  for (const address of ["host", "host:0", "host:65536", "ftp://host:1", "http://h:1/", "a:1,b:1"])
    refused(address, "lck_test", /^'.*' is no address; HOST:PORT, /);
  refused("host:1", "lck\ntest", /^the key in LASTCARD_KEY is malformed: /);
  refused("host:1", "", /^there is no key for host:1: set LASTCARD_KEY$/);
});
