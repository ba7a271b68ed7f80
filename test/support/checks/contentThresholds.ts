import type { Profile } from '../../../subgraphs/seo/engine/contract.ts';
import { surroundedBy } from './runCheck.ts';
import { at, bands, from, good, numberAt, row, twenty, upTo, words } from './thresholdRow.ts';

const profiles: readonly Profile[] = ['article', 'product', 'collection', 'page'];
const skips = ['<h2>a</h2><h3>b</h3>', '<h2>a</h2><h4>b</h4>', '<h1>a</h1><h3>b</h3><h6>c</h6>'];
const japanese = (count: number) => ({ locale: 'ja', content: '車'.repeat(count) });
const described = (share: number) => ({ content: twenty(share, '<img alt=x>', '<img>') });

/** Both sides of every threshold of the content checks. */
export const contentThresholds = [
  ...profiles.flatMap((profile) =>
    (['standard', 'cornerstone'] as const).map((kind) =>
      from(
        `content.length/words/${profile}/${kind}`,
        (count) => ({ profile, isCornerstone: kind === 'cornerstone', content: words(count) }),
        [good, 'ok slightly_short'],
      ),
    ),
  ),
  row(
    'content.length/okShare',
    [{ content: words(249) }, { content: words(248) }],
    [0.831, 0.826],
    ['ok slightly_short', 'bad too_short'],
  ),
  row(
    'content.length/charactersPerWord',
    [japanese(600), japanese(599)],
    [2.01, 1.99],
    [good, 'ok slightly_short'],
  ),
  from(
    'content.duplicate/fewestWords',
    (count) => ({ content: words(count), surroundings: surroundedBy() }),
    [good, 'na text_too_short'],
  ),
  upTo(
    'content.duplicate/distance',
    (nearestCopy) => ({ content: words(50), surroundings: surroundedBy({ nearestCopy }) }),
    ['bad near_copy', good],
  ),
  ...bands('headings.order/skips', (count) => ({ content: skips[count] ?? '' }), [
    good,
    'ok skipped',
    'bad skipped',
  ]),
  upTo('headings.quality/characters', (count) => ({ content: `<h2>${'x'.repeat(count)}</h2>` }), [
    good,
    'ok defects',
  ]),
  ...bands('headings.quality/defects', (count) => ({ content: `<h2>a</h2>${'<h2></h2>'.repeat(count)}` }), [
    good,
    'ok defects',
    'bad defects',
  ]),
  ...profiles.flatMap((profile) => {
    const path = `images.present/count/${profile}`;
    const images = (count: number) => Array.from({ length: count }, (_, index) => ({ src: `${index}` }));
    const probe = (count: number) => ({ profile, images: images(count) });
    // A collection has no points for images unless an installation sets them.
    const also = { '/points/images.present/collection': 1 };
    const isOne = numberAt(at(`${path}/good`)) === numberAt(at(`${path}/ok`));
    return [
      from(`${path}/good`, probe, [good, isOne ? 'bad missing' : 'ok too_few'], { also }),
      from(`${path}/ok`, probe, ['ok too_few', 'bad missing'], {
        also: isOne ? { ...also, [at(`${path}/good`)]: 2 } : also,
      }),
    ];
  }),
  from('images.alt/share/good', described, [good, 'ok missing'], { unit: 0.05 }),
  from('images.alt/share/ok', described, ['ok missing', 'bad missing'], { unit: 0.05 }),
];
