/** Minifies the bundled files of the package. Their source maps still lead to src/ts. */
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { at, Failure } from './shell.mjs';

/** The newest language version that the published JavaScript may use. */
export const TARGET = 'es2022';

/** A pattern of these names. Each text has several, with `|` between them. */
const anyOf = (names) => new RegExp(`^(${names.join('|')})$`);

/**
 * Names that are used within one protocol's file only. An app's protocol gets the same writer and context from
 * `toolgate/protocols`, which keeps them.
 */
const OF_ONE_PROTOCOL = anyOf([
  'textDelta|endText|endStep|endReply|failReply|startReply|endInputs|cutOff|confirmDecision|beforeContent',
  'forgetStep|forgetCalls|isDenialAnOutput|stepEndsWithResults|wireId|isComplete|onEnd|newId|malformed|compare|piece|initial',
  'withoutResult|withoutRequest|firstWithout|addDistinct|answeredAs|isUnique|unsettle|lastMessage|thoughts',
  'isStepOver|reportLoss|reportRepair|newMessages|createReader|inputOf|nextStep|hasContent|isWhole|isOpen|unanswerable|refuse|written',
  'answersBeforeMessages|repliesToDenials|resultImpliesApproval|runsRest|acceptsEdit|connection|leaveConnection|asksByCall',
]);

/** Names that only the files of `toolgate/persist` use. None is stored, or sent to another tab. */
export const OF_PERSIST = anyOf([
  'platform|chatStore|holdsLock|markChanged|changeLog|takeOver|onLost|hasLease|scheduleCleanUp|hasJournal',
  'hasCompetitors|onElected|checkLeader|elapsed|isSilent|emptied|mayLead|applyStored|readChat|storeActions',
  'requestState|cancelClaims|internals|leaderMs|storeMs|storing|characters|problem|openChannel|readStored',
  'isApplying|reshow|missingIn|onSaved|confirmSilence|readActions|dropUnstored|clearActions|isOlderThan',
  'gateEmitted|restoreOwn|raiseEpoch|markStored|endReading|newerThan|addOwn|election|isOff|isDamaged|unsaved',
  'hasState|onNewerRelease|updateActions|hasJoined|heartbeat|isActive|leaderIsSilent|needsLeader|pageShown',
  'unreadableEpoch|verifyLead|channel',
]);

/** Names that several files of the package share, and nothing else: none is public, stored, or sent to another tab. */
export const OF_PACKAGE = anyOf([
  'projection|isDisposed|translator|isReplying|isBusy|hasProxies|givenId|shouldResume|hasActs|heldUntil|publish|isOver',
  'settings|generation|renderedAt|isFollowing|descend|isClosed|isEditable|setOrRemove|acts',
]);

/**
 * Names that only the scripts of the cards, the questions and the review use, with the same short name in all. None is
 * a text, or an option of an app, or the name of a field of a form.
 */
export const OF_VIEWS = anyOf([
  'hasReason|isStale|portion|denying|hurry|sections|renew|paint|canCarryText|restingHeight|renderSummary|isMovedOnto',
  'since|short|decide|scheduleUpdate|opened|marks|chosen|between',
  'isRequired|marked|answersIn|notify|isSeen|focused|enter|announcement|isShown',
  'placed|deadline|isHurry|look|isDisabled|shown|rendered|attach|lead|words|host|card|foot',
  'renderHeader|readTexts|onDecision|onRefusal|onKey|isWaiting|press|danger|needed',
  'left|lines|draw|give|isChosen|describedBy|isAlert|tone|buttons|fields|note',
]);

/** Names that only the core's own script uses. None is public, saved, or read by the WebAssembly file. */
export const OF_CORE = anyOf([
  'outbox|isAtWork|messageCount|isCrashed|idOf|isUsed|updateClock|switchTo|peek|entryOf|isRememberable',
  'hasEvents|listsRevision|ensureClaimed|translatorOf|waitingBits|isRewriting|isNotEmpty|turnStatus|recordAll',
  'isSmall|startOf|newFrom|newTo|countAsUsed|holdAll|material|askedAgain|sendable|hasCalls|storeTaken|restoreChat|takeEvents',
]);

/** Names that only the script in control of a guarded chat uses. None is an option, stored, or sent to another tab. */
export const OF_DRIVER = anyOf([
  'withOptions|wasDisconnected|stopping|isAtStepLimit|requestByUser|isVetoed|appliesTo|isSending|continues',
  'exchangeWith|isRequested|hasWaiting|isReplaced|reserving|together|resumeIfDisconnected|isPending',
  'keyHeader|addUnsent|forAct|forItem|markRequested|exclusively|detachFrom|showQueue|noteEvent|mustWait',
  'putFirst|putBack|maySend|prune',
]);

/** The names that get short ones in a file. `sources`: the files that it was bundled from. */
function shortIn(path, sources) {
  if (/^protocols\/(?!index\.js)/.test(path)) return OF_ONE_PROTOCOL;
  if (path === 'persist/index.js') return OF_PERSIST;
  const has = (source) => sources.some((one) => one.endsWith(source));
  if (has('/ai-sdk/driver/driver.ts')) return OF_DRIVER;
  if (['question', 'review', 'card'].some((name) => has(`/element/${name}-view.ts`))) return OF_VIEWS;
  return has('/gate/gate-core.ts') && OF_CORE;
}

/** The text of a file without the address of its source map. */
const withoutMap = (code) => code.replace(/\n*\/\/# sourceMappingURL=.*\n*$/, '');

/**
 * Minifies again with Vite's minifier, which reuses names in each function: 3 % less after gzip; then with terser,
 * which simplifies what both leave: another 1 %; and names once more what terser leaves. The source maps still lead to
 * src/ts.
 */
export async function minifyAgain(files) {
  const [{ minify }, { minify: terser }] = await Promise.all([import('vite'), import('terser')]);
  const byPath = new Map(files.map((file) => [file.path, file]));
  const named = async (path, text, inputMap) => {
    const options = { module: true, compress: { target: TARGET }, mangle: true, sourcemap: true, inputMap };
    const { code, map, errors } = await minify(path, text, options);
    if (errors.length) throw new Failure(`${path} could not be minified: ${errors[0].message}`);
    return [withoutMap(code), map];
  };
  let ofViews;
  for (const file of files.filter(({ path }) => path.endsWith('.js'))) {
    const mapFile = byPath.get(`${file.path}.map`);
    const inputMap = JSON.parse(Buffer.from(mapFile.contents));
    const [half, halfMap] = await named(file.path, Buffer.from(file.contents).toString(), inputMap);
    const regex = shortIn(file.path, inputMap.sources);
    const isProtocol = regex === OF_ONE_PROTOCOL;
    const nameCache = regex === OF_VIEWS ? { props: ofViews } : undefined;
    const common = (content) => ({
      module: true,
      ecma: 2022,
      // Node prints the line of an uncaught error. Each break costs bytes. A protocol's errors are caught.
      format: { max_line_len: isProtocol ? false : 5000 },
      sourceMap: { content, asObject: true, includeSources: true },
    });
    const simplified = await terser(half, {
      ...common(halfMap),
      // `platform` and `host` are also names of properties of browsers, which these files do not use.
      mangle: regex ? { properties: { regex, builtins: regex === OF_PERSIST || regex === OF_VIEWS } } : true,
      nameCache,
      compress: {
        passes: 3,
        keep_fargs: false,
        directives: false,
        unsafe_arrows: true,
        pure_getters: isProtocol || regex === OF_VIEWS,
        // Functions in functions get longer names when a page is bundled.
        reduce_funcs: regex !== OF_CORE && regex !== OF_VIEWS,
      },
    });
    const [short, shortMap] = await named(file.path, withoutMap(simplified.code), simplified.map);
    const { code, map } = await terser(short, { ...common(shortMap), compress: false, mangle: false });
    ofViews = nameCache?.props ?? ofViews;
    // Bundlers recognize a file name only in a plain string literal.
    const plain = withoutMap(code).replaceAll(/\b(import\(|new URL\()`([^`$\\]+)`/g, '$1"$2"');
    // Bundlers warn about an import without names. Replacing it with blanks keeps the columns of the source map right.
    const said = plain.replaceAll(/\bimport"\.[^"]+";/g, (text) => ' '.repeat(text.length));
    file.contents = Buffer.from(`${said}\n//# sourceMappingURL=${posix.basename(file.path)}.map\n`);
    // The paths are those of a published src/: debuggers then show the sources in this package, not in another one in
    // node_modules.
    const sources = map.sources.map((source) =>
      source.replace(/^(?:(?:\.\.\/)+|.*[\w-]:)(?=src\/|target\/)/, `${'../'.repeat(file.path.split('/').length)}`),
    );
    // The sources as they are written, with their sentences. The plugins above keep the numbers of the lines.
    const sourcesContent = sources.map((source, i) => {
      const path = at(source.replace(/^(\.\.\/)+/, ''));
      return existsSync(path) ? readFileSync(path, 'utf8') : map.sourcesContent[i];
    });
    mapFile.contents = Buffer.from(JSON.stringify({ ...map, sources, sourcesContent }));
  }
}
