import { readWithEngine, toFigures } from './judgeTreebank.ts';
import { readTreebank } from './readTreebank.ts';

const word = (id: number, form: string, features: string, relation: string): string =>
  [id, form, form, 'X', '_', features, 0, relation, '_', '_'].join('\t');
const conllu = [
  [
    '# sent_id = 1',
    '# text = The car was sold.',
    word(1, 'The', '_', 'det'),
    word(4, 'sold', 'Tense=Past|Voice=Pass', 'root'),
  ],
  [
    '# sent_id = 2',
    '# text = Dr. Miller drives.',
    word(1, 'Dr.', '_', 'nsubj'),
    word(3, 'drives', 'Voice=Act', 'root'),
  ],
  ['# sent_id = 3', '# text = It was sold.', word(1, 'It', '_', 'nsubj:pass'), word(3, 'sold', '_', 'root')],
]
  .map((lines) => lines.join('\n'))
  .join('\n\n');

test('a treebank gives the texts of its sentences, and which are passive by feature or relation', () => {
  expect(readTreebank(`${conllu}\n\n`)).toEqual([
    { text: 'The car was sold.', isPassive: true },
    { text: 'Dr. Miller drives.', isPassive: false },
    { text: 'It was sold.', isPassive: true },
  ]);
});

test('an engine that finds all sentences and passives of a treebank has 100 percent', () => {
  const gold = readTreebank(conllu);
  expect(toFigures(gold, readWithEngine('en', gold))).toEqual({ sentences: 100, passives: 100 });
});

test('wrong ends of sentences and missed passives lower the figures', () => {
  const gold = readTreebank(conllu);
  const split = [['The car was sold.', 'Dr.', 'Miller drives.', 'It was sold.']];
  expect(toFigures(gold, { split, passive: [true, false, false] })).toEqual({
    sentences: 85.7,
    passives: 66.7,
  });
});
