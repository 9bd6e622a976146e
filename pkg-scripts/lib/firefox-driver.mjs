/**
 * The part of WebDriver that wasm-bindgen's test runner uses: five requests, which are forwarded to Firefox over its
 * own remote protocol (Marionette: JSON with a length prefix). It replaces geckodriver, which would have to be
 * compiled.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from './shell.mjs';

/** How long Firefox may take to start, in ms. On a busy machine it can take long. */
const START = 120_000;

/** A profile in which Firefox sends no requests of its own and uses a free port. */
const PREFERENCES = {
  'marionette.port': 0,
  'app.update.disabledForTesting': true,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,#remote-settings-dummy/v1',
  'toolkit.telemetry.reportingpolicy.firstRun': false,
};

/** Starts a driver on a free port of this machine. Resolves to its `url` (for `GECKODRIVER_REMOTE`) and to `close`. */
export async function startFirefoxDriver(binary) {
  let firefox;
  const sessions = {
    open: async () => {
      await firefox?.end();
      firefox = await startFirefox(binary);
      return firefox.ask('WebDriver:NewSession', {});
    },
    ask: (command, parameters) => {
      if (!firefox) throw new Error('no session was started');
      return firefox.ask(command, parameters);
    },
    end: async () => {
      await firefox?.end();
      firefox = undefined;
    },
  };
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const [status, value] = await answer(`${request.method} ${request.url}`, text, sessions).then(
      (found) => [200, found],
      (error) => [500, { error: 'unknown error', message: String(error), stacktrace: '' }],
    );
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ value }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: async () => {
      await sessions.end();
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
}

/** Handles one WebDriver request. Returns its `value`. */
async function answer(asked, text, { open, ask, end }) {
  const [, method, path = ''] = /^(\w+) \/+session(?:\/[^/]+)?(\/.*)?$/.exec(asked) ?? [];
  switch (`${method} ${path}`) {
    case 'POST ':
      return open();
    case 'GET ':
      return { capabilities: { browserName: 'firefox' } };
    case 'POST /url':
      await ask('WebDriver:Navigate', JSON.parse(text));
      return null;
    case 'POST /execute/sync':
      return (await ask('WebDriver:ExecuteScript', JSON.parse(text))).value;
    case 'DELETE /window':
      await end();
      return [];
    default:
      throw new Error(`this driver does not implement ${asked}`);
  }
}

/**
 * Starts Firefox without a window. `ask` sends Firefox a command and resolves to the result; `end` ends Firefox and
 * removes its profile.
 */
async function startFirefox(binary) {
  const profile = mkdtempSync(join(tmpdir(), 'toolgate-firefox-'));
  const lines = Object.entries(PREFERENCES).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  );
  writeFileSync(join(profile, 'user.js'), lines.join(''));
  const child = spawn(binary, ['--headless', '--no-remote', '--marionette', '--profile', profile], {
    stdio: 'ignore',
    env: { ...process.env, MOZ_CRASHREPORTER_DISABLE: '1' },
  });
  const ended = new Promise((resolve) => child.once('close', resolve).once('error', resolve));
  const end = async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
  };
  try {
    const port = await firstOf(() => Number(readFileSync(join(profile, 'MarionetteActivePort'), 'utf8')), child);
    return { ask: await converse(port), end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Calls `read` until it returns a value, and resolves to that value. */
async function firstOf(read, child) {
  for (let waited = 0; waited < START && child.exitCode === null; waited += 100) {
    try {
      const found = read();
      if (found) return found;
    } catch {
      // Firefox has not written the file yet.
    }
    await sleep(100);
  }
  throw new Failure('Firefox did not start, or did not write the port of its remote protocol');
}

/**
 * Connects to Firefox, and returns a function that sends a command. The command `[0, number, command, parameters]` is
 * answered by `[1, number, error, result]`; each message follows its length in bytes and a colon.
 */
async function converse(port) {
  const socket = connect(port, '127.0.0.1');
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  const waiting = new Map();
  let arrived = Buffer.alloc(0);
  let number = 0;
  const fail = () => waiting.forEach(({ reject }) => reject(new Error('Firefox ended')));
  socket
    .on('error', fail)
    .on('close', fail)
    .on('data', (chunk) => {
      arrived = Buffer.concat([arrived, chunk]);
      for (let colon; (colon = arrived.indexOf(':')) > 0;) {
        const end = colon + 1 + Number(arrived.subarray(0, colon));
        if (!(arrived.length >= end)) return;
        const message = JSON.parse(arrived.subarray(colon + 1, end));
        arrived = arrived.subarray(end);
        // Firefox begins with a greeting, which is an object.
        if (!Array.isArray(message)) continue;
        const [, id, error, result] = message;
        const { resolve, reject } = waiting.get(id);
        waiting.delete(id);
        if (error) reject(new Error(error.message));
        else resolve(result);
      }
    });
  return (command, parameters) =>
    new Promise((resolve, reject) => {
      waiting.set((number += 1), { resolve, reject });
      const text = JSON.stringify([0, number, command, parameters]);
      socket.write(`${Buffer.byteLength(text)}:${text}`);
    });
}
