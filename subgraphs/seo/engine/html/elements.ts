/** Elements that start and end a block of text, as browsers display them by default. */
export const blockElements = new Set(
  (
    'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption ' +
    'figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol ' +
    'optgroup p plaintext pre search section summary table tbody td tfoot th thead tr ul xmp'
  ).split(' '),
);

/** Elements whose content is not text of the page: code, form controls, embedded documents, drawings. */
export const skippedElements = new Set(
  (
    'script style template noscript title textarea select iframe object audio video canvas noembed noframes ' +
    'svg math datalist'
  ).split(' '),
);

/** Elements without content; a closing tag never follows. */
export const voidElements = new Set(
  'area base basefont br col embed frame hr img input link meta param source track wbr'.split(' '),
);

/** Inline elements that show something between two letters, so the letters belong to different words. */
export const replacedElements = new Set(
  'img input embed button iframe object audio video canvas svg math select textarea'.split(' '),
);

/** Foreign content: self-closing tags count, raw-text elements do not exist (HTML 13.2.6.5). */
export const foreignElements = new Set(['svg', 'math']);

/** Opening one of the keys closes an element of its set that is directly open (HTML 13.1.2.4, optional tags). */
export const impliedEnds: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['li', new Set(['li'])],
  ['dd', new Set(['dd', 'dt'])],
  ['dt', new Set(['dd', 'dt'])],
  ['td', new Set(['td', 'th'])],
  ['th', new Set(['td', 'th'])],
  ['tr', new Set(['td', 'th'])],
]);
