#!/usr/bin/env node
import { main } from '../dist/cli.js';

const code = await main(process.argv.slice(2));
// A tested client may keep timers and connections, so the process is ended; only after a pipe has read everything.
process.stdout.write('', () => process.exit(code));
