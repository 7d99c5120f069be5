/** Where the server is and by which key it is called: LASTCARD_ADDRESS, LASTCARD_KEY. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const KEY_FILE = "var/organiser.key";

/** A server and a key; `origin` is what the key is called in sentences. */
export type Server = { target: string; tls: boolean; key: string; origin: string };

/** Returns the path of a file of this checkout. */
export const root = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** Returns the server that the environment names, else this machine's with the key it wrote. */
export function server({ LASTCARD_ADDRESS, LASTCARD_KEY }: NodeJS.ProcessEnv): Server {
  const address = LASTCARD_ADDRESS || "127.0.0.1:50051";
  const form = /^(https?:\/\/)?((\[[\da-f:.]+\]|[^\s:/,[\]]+):(\d{1,5}))$/i.exec(address);
  const [, scheme, target, host, port] = form ?? [];
  if (!target || Number(port) < 1 || Number(port) > 65_535)
    throw new Error(`'${address}' is no address; HOST:PORT, http:// or https://HOST:PORT is`);
  const local = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(host!);
  const [key, origin] = LASTCARD_KEY
    ? [LASTCARD_KEY, "the key in LASTCARD_KEY"]
    : [local ? written(target) : missing(target), `the key in ${root(KEY_FILE)}`];
  if (!/^[!-~]+$/.test(key))
    throw new Error(`${origin} is malformed: a key is letters, digits and _, nothing else`);
  return { target, tls: scheme ? /s:/i.test(scheme) : !local, key, origin };
}

/** Returns the key that a server of this checkout wrote. */
function written(target: string): string {
  try {
    return readFileSync(root(KEY_FILE), "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT")
      throw new Error(`${root(KEY_FILE)} cannot be read: ${(error as Error).message}`);
    return missing(target, `, or start 'lastcard serve' in ${root("")}, which writes ${KEY_FILE}`);
  }
}

function missing(target: string, otherwise = ""): never {
  throw new Error(`there is no key for ${target}: set LASTCARD_KEY${otherwise}`);
}
