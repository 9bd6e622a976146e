/**
 * Finds the Chrome or Chromium and the chromedriver that the browser tests use, and Firefox for those that run in both.
 * On Debian as root, missing ones are installed; elsewhere the script prints how to install them.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { canInstall, install, onPath } from './debian.mjs';
import { at, Failure } from './shell.mjs';

const CHROME_NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];
const CHROME_PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The browser's path: `CHROME_BIN` if set, else the first of the usual names and places; `null` if there is none. */
export function findChrome() {
  const named = process.env.CHROME_BIN;
  if (named) {
    const path = onPath(named);
    if (!path) throw new Failure(`CHROME_BIN is \`${named}\`, which is not a program.`);
    return path;
  }
  for (const name of CHROME_NAMES) {
    const path = onPath(name);
    if (path) return path;
  }
  return CHROME_PLACES.find((path) => existsSync(path)) ?? null;
}

/** The chromedriver's path: `CHROMEDRIVER` if set, else the one on the PATH, else `null`. */
export const findChromedriver = () => onPath(process.env.CHROMEDRIVER || 'chromedriver');

/** The flags that every test starts the browser with: the ones in webdriver.json. */
export const chromeFlags = () => webdriver()['goog:chromeOptions'].args;

const webdriver = () => JSON.parse(readFileSync(at('webdriver.json'), 'utf8'));

/**
 * Makes sure that a browser is installed, and configures the tests for it: `CHROME_BIN` for Playwright, and for
 * wasm-pack a copy of webdriver.json that names it. Returns the chromedriver's path, or `null` if wasm-pack has to
 * fetch one.
 */
export async function setUpBrowser() {
  if ((!findChrome() || !findChromedriver()) && canInstall())
    await install('Chromium and its driver', ['chromium', 'chromium-driver']);
  const chrome = findChrome();
  if (!chrome) {
    throw new Failure(
      'The browser tests need Chrome or Chromium, and none was found. Install one (on Debian or Ubuntu: `apt-get install chromium chromium-driver`; elsewhere: https://www.google.com/chrome), or set CHROME_BIN to the one you have.',
    );
  }
  const settings = webdriver();
  settings['goog:chromeOptions'].binary = chrome;
  mkdirSync(at('target'), { recursive: true });
  writeFileSync(at('target/webdriver.json'), JSON.stringify(settings, null, 2));
  process.env.CHROME_BIN = chrome;
  process.env.WASM_BINDGEN_TEST_WEBDRIVER_JSON = at('target/webdriver.json');
  return findChromedriver();
}

/** Makes sure there is Firefox, and returns its path. Its driver is firefox-driver.mjs. */
export async function setUpFirefox() {
  if (!findFirefox() && canInstall()) await install('Firefox', ['firefox-esr']);
  const binary = findFirefox();
  if (!binary) {
    throw new Failure(
      'The Rust tests run in Firefox too, and none was found. Install it (on Debian: `apt-get install firefox-esr`; elsewhere: https://www.mozilla.org/firefox), or set FIREFOX_BIN to the one you have.',
    );
  }
  return binary;
}

/** Firefox's path: `FIREFOX_BIN` if set, else the first of the usual names and places. */
function findFirefox() {
  const names = process.env.FIREFOX_BIN ? [process.env.FIREFOX_BIN] : ['firefox-esr', 'firefox'];
  for (const name of names) {
    const path = onPath(name);
    if (path) return path;
  }
  const place = '/Applications/Firefox.app/Contents/MacOS/firefox';
  return existsSync(place) ? place : null;
}
