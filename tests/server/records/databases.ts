/**
 * Starts the databases of the record tests: real servers in a temporary folder, which listen on Unix sockets only, and
 * D1 in Cloudflare's runtime, which listens on 127.0.0.1. Each resolves to what a client needs to connect, and to a
 * function that stops the server and removes the folder.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPostgres, findRedis } from '../../../pkg-scripts/lib/databases.mjs';
import { connectTo, startWorkers, type DatabaseName, type Connected } from './connect.mjs';

/** A running database. */
export interface Database {
  readonly name: DatabaseName;
  /** The socket, file or address that `connectTo` takes. */
  readonly place: string;
  connect(): Promise<Connected>;
  stop(): Promise<void>;
}

const REDIS = '--port 0 --bind 127.0.0.1 --appendonly yes --appendfsync always --maxmemory-policy noeviction';
const POSTGRES = ['-c', 'listen_addresses=', '-c', 'shared_buffers=16MB'];

/** Starts a database, and makes its table. */
export async function startDatabase(name: DatabaseName): Promise<Database> {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-records-'));
  const workers = name.startsWith('d1') ? await startWorkers(folder) : undefined;
  const server = name === 'sqlite' || workers ? undefined : start(name, folder);
  const place = workers?.place ?? placeOf(name, folder);
  const stop = async (): Promise<void> => {
    await workers?.stop();
    if (server && server.exitCode === null) {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGINT');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await ready(name, place, server);
  } catch (error) {
    await stop();
    throw error;
  }
  return { name, place, connect: () => connectTo(name, place), stop };
}

function placeOf(name: DatabaseName, folder: string): string {
  if (name === 'sqlite') return join(folder, 'records.db');
  return name === 'postgres' ? folder : join(folder, 'redis.sock');
}

function start(name: DatabaseName, folder: string): ChildProcess {
  return name === 'postgres' ? startPostgres(folder) : startRedis(folder);
}

function startRedis(folder: string): ChildProcess {
  const program = findRedis();
  if (!program) throw new Error('redis-server is missing: run ./pkg-scripts/test unit, which installs it');
  const place = ['--unixsocket', join(folder, 'redis.sock'), '--dir', folder, '--save', ''];
  return spawn(program, [...REDIS.split(' '), ...place], { stdio: 'ignore' });
}

function startPostgres(folder: string): ChildProcess {
  const programs = findPostgres();
  if (!programs) throw new Error('Postgres is missing: run ./pkg-scripts/test unit, which installs it');
  // Postgres does not run as root.
  const owner = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid!);
  const data = join(folder, 'data');
  const flags = ['-D', data, '-A', 'trust', '-U', 'toolgate', '--no-sync', '--no-instructions'];
  const made = spawnSync(join(programs, 'initdb'), flags, { ...owner, cwd: folder, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`);
  return spawn(join(programs, 'postgres'), ['-D', data, '-k', folder, ...POSTGRES], {
    ...owner,
    cwd: folder,
    stdio: 'ignore',
  });
}

function idOf(flag: '-u' | '-g'): number {
  const { status, stdout } = spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' });
  if (status !== 0) throw new Error('there is no user `postgres` to run Postgres as');
  return Number(stdout);
}

async function ready(name: DatabaseName, place: string, server: ChildProcess | undefined): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      const { createTable, close } = await connectTo(name, place);
      await createTable();
      await close();
      return;
    } catch (error) {
      if (attempt === 600 || (server && server.exitCode !== null)) throw error;
      await sleep(50);
    }
  }
}
