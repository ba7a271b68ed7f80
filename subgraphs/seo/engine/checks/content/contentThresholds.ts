import type { Profile } from '../../contract.ts';
import { surroundedBy } from '../judge.ts';
import { at, from, good, numberAt, row, type ThresholdRow, twenty, upTo, words } from '../thresholdRow.ts';

const profiles: readonly Profile[] = ['article', 'product', 'collection', 'page'];
const skips = ['<h2>a</h2><h3>b</h3>', '<h2>a</h2><h4>b</h4>', '<h1>a</h1><h3>b</h3><h6>c</h6>'];
const emptyHeadings = (count: number) => ({ content: `<h2>a</h2>${'<h2></h2>'.repeat(count)}` });
const described = (share: number) => ({ content: twenty(share, '<img alt=x>', '<img>') });

/** Both sides of every number of the checks of the content. */
export const contentThresholds: ThresholdRow[] = [
  ...profiles.flatMap((profile) =>
    (['standard', 'cornerstone'] as const).map((kind) =>
      from(
        at(`content.length/words/${profile}/${kind}`),
        (count) => ({ profile, isCornerstone: kind === 'cornerstone', content: words(count) }),
        { expected: [good, 'ok slightly_short'] },
      ),
    ),
  ),
  row(at('content.length/okShare'), [{ content: words(249) }, { content: words(248) }], [0.831, 0.826], {
    expected: ['ok slightly_short', 'bad too_short'],
  }),
  row(
    at('content.length/charactersPerWord'),
    [
      { locale: 'ja', content: '車'.repeat(600) },
      { locale: 'ja', content: '車'.repeat(599) },
    ],
    [2.01, 1.99],
    { expected: [good, 'ok slightly_short'] },
  ),
  from(
    at('content.duplicate/fewestWords'),
    (count) => ({ content: words(count), surroundings: surroundedBy() }),
    { expected: [good, 'na text_too_short'] },
  ),
  upTo(
    at('content.duplicate/distance'),
    (nearestCopy) => ({ content: words(50), surroundings: surroundedBy({ nearestCopy }) }),
    { expected: ['bad near_copy', good] },
  ),
  upTo(at('headings.order/skips/good'), (count) => ({ content: skips[count] ?? '' }), {
    expected: [good, 'ok skipped'],
  }),
  upTo(at('headings.order/skips/ok'), (count) => ({ content: skips[count] ?? '' }), {
    expected: ['ok skipped', 'bad skipped'],
  }),
  upTo(at('headings.quality/characters'), (count) => ({ content: `<h2>${'x'.repeat(count)}</h2>` }), {
    expected: [good, 'ok defects'],
  }),
  upTo(at('headings.quality/defects/good'), emptyHeadings, { expected: [good, 'ok defects'] }),
  upTo(at('headings.quality/defects/ok'), emptyHeadings, { expected: ['ok defects', 'bad defects'] }),
  ...profiles.flatMap((profile) => {
    const path = at(`images.present/count/${profile}`);
    const probe = (count: number) => ({
      profile,
      images: Array.from({ length: count }, (_, index) => ({ src: `${index}` })),
    });
    // A collection has no points for images unless an installation gives it some.
    const counted = { '/points/images.present/collection': 1 };
    const isOne = numberAt(`${path}/good`) === numberAt(`${path}/ok`);
    return [
      isOne
        ? from(`${path}/good`, probe, { expected: [good, 'bad missing'], also: counted })
        : from(`${path}/good`, probe, { expected: [good, 'ok too_few'], also: counted }),
      from(`${path}/ok`, probe, {
        expected: ['ok too_few', 'bad missing'],
        also: isOne ? { ...counted, [`${path}/good`]: 2 } : counted,
      }),
    ];
  }),
  from(at('images.alt/share/good'), described, { expected: [good, 'ok missing'] }, { unit: 0.05 }),
  from(at('images.alt/share/ok'), described, { expected: ['ok missing', 'bad missing'] }, { unit: 0.05 }),
];
