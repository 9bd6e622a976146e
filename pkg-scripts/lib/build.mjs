/** `./pkg-scripts/build`: makes the publishable package in pkg/ and prints its size. */
import { build } from './make.mjs';
import { sizeTable } from './measure.mjs';
import { main, say } from './shell.mjs';

await main(async () => {
  const started = Date.now();
  await build();
  console.log(sizeTable().text);
  say(`pkg/ is ready (${((Date.now() - started) / 1000).toFixed(1)} s)`);
});
