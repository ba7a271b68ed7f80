import { spawnSync } from 'node:child_process';
import { baseRuleset } from '../../pages/ruleset/baseRuleset.ts';
import { analyze } from '../analyze.ts';
import type { AnalysisInput } from '../contract.ts';
import { measureTitle } from '../text/measureTitle.ts';
import type { ContentEdit, LinkTarget, Neighbours } from './Draft.ts';
import { type SuggestionKind, suggestionKinds } from './SuggestionKind.ts';
import { type Suggestion, suggest } from './suggest.ts';
import { applyEdits } from './validateDraft.ts';

const nobody: Neighbours = { siteName: 'Autohaus', usedKeyphrases: [], usedSlugs: [], targets: [] };
const winter =
  'A winter tyre grips better on snow than any other tyre that drivers can buy for the cold season. ';
const body = `<h1>Winter tyres</h1><p>${winter}We fit each winter tyre on the same day, and we store the summer tyres until spring comes back.</p>
<h2>Storage</h2><p>The summer set waits in our dry hall. Every customer gets a written receipt for the set.</p>`;
const page: AnalysisInput = {
  locale: 'en',
  title: 'Tyres for snow and ice',
  content: body,
  keyphrase: 'winter tyre',
  permalink: 'https://shop.test/en/tyres/winter?utm=1#top',
};

const task = { page, ruleset: baseRuleset, perKind: 3, exclude: [], neighbours: nobody };

function suggested(kinds: readonly SuggestionKind[], input: AnalysisInput = page, options: object = {}) {
  return suggest({ ...task, page: input, kinds, ...options });
}

function valuesOf(kind: SuggestionKind, input: AnalysisInput = page, options: object = {}): any[] {
  return suggested([kind], input, options).items.map(({ value }) => value);
}

function bodyWith({ patch }: Suggestion, html: string): string {
  return applyEdits(html, (patch as unknown as { contentEdits: ContentEdit[] }).contentEdits);
}

test('the same task gives the same bytes, in this process and in another one', () => {
  const all = { ...task, kinds: suggestionKinds };
  const here = JSON.stringify(suggest(all));
  expect(JSON.stringify(suggest(structuredClone(all)))).toBe(here);
  const module = new URL('./suggest.ts', import.meta.url).href;
  const script = `import { suggest } from ${JSON.stringify(module)};
    process.stdout.write(JSON.stringify(suggest(JSON.parse(process.argv[1]))));`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', script, JSON.stringify(all)],
    { encoding: 'utf8' },
  );
  expect(stderr.includes('Error')).toBe(false);
  expect(stdout).toBe(here);
});

test('no suggestion makes a check that it is for worse, and each carries the verdicts', () => {
  const before = analyze(page);
  const order = { bad: 0, ok: 1, good: 2 } as Record<string, number>;
  const { items } = suggested(['seo_title', 'meta_description', 'slug', 'headings', 'social', 'canonical']);
  expect(items.length).toBeGreaterThan(5);
  for (const { validation, basis } of items) {
    expect(new Set(validation.map(({ id }) => id))).toEqual(new Set(basis));
    for (const { id, rating } of validation) {
      const now = before.checks.find((check) => check.id === id);
      expect([id, (order[rating] ?? 2) >= (order[now?.rating ?? ''] ?? 1)]).toEqual([id, true]);
    }
  }
});

test('a suggestion is itself analysed: applied, its patch gives the verdicts that it promises', () => {
  for (const item of suggested(['seo_title', 'meta_description', 'slug', 'canonical']).items) {
    const after = analyze({ ...page, ...(item.patch as object) });
    for (const { id, rating } of item.validation) {
      expect([id, after.checks.find((check) => check.id === id)?.rating]).toEqual([id, rating]);
    }
  }
});

describe('titles', () => {
  test('begin with the keyphrase and are shown in full', () => {
    const values = valuesOf('seo_title');
    expect(values[0]).toMatch(/^Winter tyre/);
    for (const value of values) expect(measureTitle(value)).toBeLessThanOrEqual(580);
  });

  test('titles are cut between words only', () => {
    const [value] = valuesOf('seo_title', {
      ...page,
      title: 'Extraordinarily comfortable '.repeat(6),
      keyphrase: null,
    });
    for (const word of value.replace(/ \| Autohaus$/, '').split(' ')) {
      expect(['Extraordinarily', 'comfortable']).toContain(word);
    }
  });

  test('name a product by make, model, trim, year and place', () => {
    const attributes = { make: 'BMW', model: '320d', trim: 'Touring', year: 2019, city: 'Munich' };
    const product = {
      ...page,
      keyphrase: null,
      profile: 'product',
      product: { attributes },
    } as AnalysisInput;
    expect(valuesOf('seo_title', product)[0]).toBe('BMW 320d Touring (2019), Munich | Autohaus');
  });
});

test('descriptions are sentences of the page in the length that is shown', () => {
  const values = valuesOf('meta_description');
  expect(values.length).toBeGreaterThan(0);
  for (const value of values) {
    expect([...value].length).toBeLessThanOrEqual(156);
    expect(body).toContain(value.slice(0, 40).replace('…', ''));
  }
});

test('slugs leave function words out, are Latin where that is known, and are of no other object', () => {
  const german = {
    ...page,
    locale: 'de',
    title: 'Die schönen Räder für den Winter',
    keyphrase: 'schöne Räder',
  };
  expect(valuesOf('slug', german)[0]).toBe('schoene-raeder');
  const taken = { neighbours: { ...nobody, usedSlugs: ['winter-tyre', 'winter-tyre-2'] } };
  expect(valuesOf('slug', page, taken)[0]).toBe('winter-tyre-3');
  for (const value of valuesOf('slug')) expect(value).toMatch(/^[a-z0-9]+(-[a-z0-9]+){0,4}$/);
});

test('keyphrases are what the page repeats, without those of other pages', () => {
  const input = { ...page, keyphrase: null };
  const [first] = valuesOf('keyphrase', input);
  expect(first.toLowerCase()).toContain('tyre');
  const taken = { neighbours: { ...nobody, usedKeyphrases: [first.toLowerCase()] } };
  expect(valuesOf('keyphrase', input, taken)).not.toContain(first);
});

describe('headings', () => {
  test('a second main heading becomes an H2, a skipped level the next one', () => {
    const html =
      '<h1>One</h1><p>First text here.</p><h1 class="x">Two</h1><h4>Deep</h4><p>Some more text stands here now.</p>';
    const { items } = suggested(['headings'], { ...page, content: html });
    expect(items.map((item) => bodyWith(item, html))).toEqual([
      html.replace('<h1 class="x">Two</h1>', '<h2 class="x">Two</h2>'),
      html.replace('<h4>Deep</h4>', '<h3>Deep</h3>'),
    ]);
  });

  test('a long passage gets a subheading between two paragraphs', () => {
    const paragraphs = Array.from({ length: 24 }, (_, index) => `<p>${winter}Number ${index} of many.</p>`);
    const html = `<h2>Begin</h2>${paragraphs.join('\n')}`;
    const [item] = suggested(['headings'], { ...page, content: html }).items;
    expect(item?.value).toMatchObject({ action: 'insert', level: 2 });
    const changed = bodyWith(item as Suggestion, html);
    expect(changed).toMatch(/<\/p>\n<h2>[^<>]+<\/h2><p>/);
  });
});

describe('internal links', () => {
  const target = (id: string, phrase: string, url = `https://shop.test/${id}`): LinkTarget => ({
    type: 'listing',
    id,
    url,
    title: phrase,
    phrase,
  });
  const linksTo = (targets: LinkTarget[], input: AnalysisInput = page) =>
    suggested(['internal_links'], input, { neighbours: { ...nobody, targets } }).items;

  test('lead from words of the text, in any of their forms, to what is found by them', () => {
    const [item] = linksTo([target('summer', 'summer tyre'), target('boat', 'sailing boat')]);
    expect(item?.value).toMatchObject({ id: 'summer', anchor: 'summer tyres' });
    expect(bodyWith(item as Suggestion, body)).toContain(
      '<a href="https://shop.test/summer">summer tyres</a>',
    );
    expect(linksTo([target('boat', 'sailing boat')])).toEqual([]);
  });

  test('never lead to the page itself or to what is linked already, and never stand in a link or a heading', () => {
    expect(linksTo([target('self', 'summer tyre', 'https://shop.test/en/tyres/winter?utm=1')])).toEqual([]);
    const linked = body.replace('summer tyres', '<a href="https://shop.test/summer">summer tyres</a>');
    expect(linksTo([target('summer', 'summer tyre')], { ...page, content: linked })).toEqual([]);
    expect(linksTo([target('other', 'summer tyre')], { ...page, content: linked })).toEqual([]);
    expect(linksTo([target('storage', 'storage')])).toEqual([]);
  });

  test('cannot smuggle markup in through an address', () => {
    const [item] = linksTo([target('x', 'summer tyre', 'https://shop.test/"><script>')]);
    expect(bodyWith(item as Suggestion, body)).not.toContain('"><script>');
  });
});

describe('structured data', () => {
  test('says what is known and lists what is missing', () => {
    const product = { vin: 'WBA1', price: 18900, currency: 'EUR', brand: 'BMW' };
    const [value] = valuesOf('schema', { ...page, profile: 'product', product });
    expect(value.jsonLd['@graph'][0]).toMatchObject({
      '@type': 'Car',
      name: 'Tyres for snow and ice',
      brand: { '@type': 'Brand', name: 'BMW' },
      vehicleIdentificationNumber: 'WBA1',
      offers: { '@type': 'Offer', price: 18900, priceCurrency: 'EUR' },
    });
    expect(value.missing).toEqual({ required: [], recommended: ['image'] });
    expect(value.jsonLd['@graph'][1]).toMatchObject({ '@type': 'BreadcrumbList' });
  });

  test('a product without a price is not given one', () => {
    const [value] = valuesOf('schema', { ...page, profile: 'product' });
    expect(value.jsonLd['@graph'][0].offers).toBeUndefined();
    expect(value.missing.required).toEqual(['offers']);
  });

  test('two questions as headings are a page of questions', () => {
    const html =
      '<h2>How long?</h2><p>One day is enough for it.</p><h2>How much?</h2><p>It costs ten euros.</p>';
    const [value] = valuesOf('schema', { ...page, content: html });
    expect(value.jsonLd['@graph'].at(-1)).toMatchObject({
      '@type': 'FAQPage',
      mainEntity: [{ name: 'How long?', acceptedAnswer: { text: 'One day is enough for it.' } }, {}],
    });
  });
});

test('images are named by caption, heading or product, never by their file', () => {
  const html = `<h2>Storage hall</h2><figure><img src="a.jpg"><figcaption>The dry hall</figcaption></figure>
    <p>Some words.</p><img src="DSC_001.jpg" alt=""><img src=c.jpg alt="Has one"><p>More words.</p>`;
  const { items } = suggested(['image_alt'], { ...page, content: html });
  const [first] = items;
  expect(first?.value).toMatchObject({ src: 'a.jpg', alt: 'The dry hall' });
  expect(bodyWith(first as Suggestion, html)).toContain('<img alt="The dry hall" src="a.jpg">');
  expect(JSON.stringify(items.map(({ value }) => (value as { alt: string }).alt))).not.toMatch(/DSC|jpg/);
});

test('previews and canonical addresses come from what the page has', () => {
  const [preview] = valuesOf('social', {
    ...page,
    seoTitle: 'Winter tyres',
    metaDescription: 'All of them.',
  });
  expect(preview).toMatchObject({ ogTitle: 'Winter tyres', ogDescription: 'All of them.' });
  expect(valuesOf('canonical')).toEqual(['https://shop.test/en/tyres/winter']);
});

test('what cannot be made is said, kind by kind', () => {
  const empty: AnalysisInput = { locale: 'en', content: '<p>Hi.</p>' };
  const { items, unavailable } = suggested(suggestionKinds, empty);
  expect(items).toEqual([]);
  expect(Object.fromEntries(unavailable.map(({ kind, code }) => [kind, code]))).toMatchObject({
    keyphrase: 'not_enough_content',
    meta_description: 'not_enough_content',
    canonical: 'no_candidates',
  });
});

test('an excluded suggestion makes room for the next one', () => {
  const all = suggested(['seo_title'], page, { perKind: 5 }).items;
  const [first, second] = all;
  const rest = suggested(['seo_title'], page, { perKind: 1, exclude: [first?.id] }).items;
  expect(rest.map(({ id }) => id)).toEqual([second?.id]);
});

test.each([
  ['one endless token', 'a'.repeat(100_000)],
  ['angle brackets', '<'.repeat(50_000)],
  ['nested elements', '<div>'.repeat(5000)],
  ['many links', '<a href="/x">x</a> '.repeat(5000)],
  ['many headings', '<h1>x</h1><h6>y?</h6>'.repeat(3000)],
  ['many images', '<img src=a><p>b</p>'.repeat(3000)],
  ['half a tag of an image', '<img src="a" alt=\'b'.repeat(2000)],
  ['lone surrogates', `<p>${'\ud800 word '.repeat(500)}</p>`],
  ['long repetition', `<p>${'the old red car stands there. '.repeat(5000)}</p>`],
])('hostile content is answered: %s', (_, content) => {
  const { items, unavailable } = suggested(suggestionKinds, { ...page, content });
  expect(items.length + unavailable.length).toBeGreaterThan(0);
});

test.each([
  ['en', 'A week on the North Coast 500', 'week-north-coast-500'],
  ['en', 'Lodge Cast Iron Skillet, 10.25 inch', 'lodge-cast-iron-skillet-10-25'],
  ['fr', 'Ratatouille niçoise : la vraie recette de ma grand-mère', 'ratatouille-nicoise-vraie-recette'],
  ['es', 'Camina sin dolor: zapatos cómodos', 'camina-sin-dolor-zapatos-comodos'],
  ['es', 'Coches de segunda mano en Zaragoza', 'coches-segunda-mano-zaragoza'],
])('a slug is not cut within a word or number, and keeps a negation: %s, %s', (locale, title, slug) => {
  expect(valuesOf('slug', { locale, title, content: '' })).toContain(slug);
});

test('a Japanese description joins short sentences without a space', () => {
  const content =
    '<p>冬はクラシックカーにとって厳しい季節です。塩と湿気は塗装やブレーキを傷めます。クラシックカーは乾いた車庫に保管されます。バッテリーは月に一度充電します。</p>';
  const [description] = valuesOf('meta_description', { locale: 'ja', title: 'クラシックカー', content });
  expect(description).toMatch(/^[^ ]+。[^ ]+。[^ ]+。$/);
});

test('a title in an inflecting language is only extended by words of a heading', () => {
  const content =
    '<p>Kış klasik arabalar için zordur. Tuz boyaya zarar verir.</p><h2>Temizlik</h2><p>Temizlik boyaya iyi gelir. Klasik araba yıkandı.</p>';
  const titles = valuesOf('seo_title', { locale: 'tr', title: 'Klasik araba', content });
  expect(titles.join()).toContain('– Temizlik');
  expect(titles.join()).not.toContain('boyaya');
});

test('a keyphrase has no capital if another inflection of it has none', () => {
  const content = '<p>Klasik araba pahalıdır. Klasik araba güzeldir. Herkes klasik arabalar ister.</p>';
  expect(valuesOf('keyphrase', { locale: 'tr', title: 'Otomobil', content })[0]).toBe('klasik araba');
});
