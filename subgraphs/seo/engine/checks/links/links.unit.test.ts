import { runCheck, surroundedBy, testChecks } from '../../../../../test/support/checks/runCheck.ts';
import { toAddressKey } from '../../toKey.ts';

const permalink = 'https://auto.example/bmw';
const link = (href: string, rel = '', text = 'BMW prices'): string =>
  `<a href="${href}" rel="${rel}">${text}</a> `;

const toCars = { permalink, content: link('/cars/') };
const cars = toAddressKey({ host: 'auto.example', path: '/cars' });

testChecks({
  'links.internal': [
    ['one followed', { permalink, content: link('/cars') }, 'good good'],
    ['one followed of two', { permalink, content: link('/x', 'nofollow') + link('/cars') }, 'good good'],
    [
      'only nofollow',
      { permalink, content: link('https://www.auto.example/x', 'nofollow') },
      'ok only_nofollow',
    ],
    ['only to itself', { permalink, content: link('/bmw#x') }, 'bad missing'],
    ['only outbound', { permalink, content: link('https://b.example') }, 'bad missing'],
    ['a product', { profile: 'product', content: link('/cars') }, 'na not_in_profile'],
    ['no content', { content: '' }, 'na no_content'],
  ],
  'links.outbound': [
    ['one followed', { permalink, content: link('https://b.example') }, 'good good'],
    ['only sponsored', { permalink, content: link('https://b.example', 'sponsored') }, 'ok only_nofollow'],
    ['only internal', { permalink, content: link('/x') }, 'bad missing'],
    ['a page', { profile: 'page', content: link('https://b.example') }, 'na not_in_profile'],
  ],
  'links.anchor_text': [
    ['generic in German', { content: link('/x', '', 'Klicken Sie hier'), locale: 'de' }, 'ok generic'],
    ['generic in French', { content: link('/x', '', 'En savoir plus'), locale: 'fr' }, 'ok generic'],
    ['generic in Spanish', { content: link('/x', '', 'Haz clic aquí'), locale: 'es' }, 'ok generic'],
    ['generic in Russian', { content: link('/x', '', 'Подробнее'), locale: 'ru' }, 'ok generic'],
    [
      'a language without a list',
      { content: link('/x', '', 'klicka här'), locale: 'sv' },
      'na language_data_missing',
    ],
    ['no links', { content: '<p>x</p>' }, 'na no_links'],
  ],
  'links.crawlable': [
    ['real addresses', { content: link('/x') + link('#y') + link('tel:1') }, 'good good'],
    ['a script', { content: link('javascript:void(0)') }, 'bad found'],
    ['an empty address', { content: link('') }, 'bad found'],
    ['no address', { content: '<a>x</a>' }, 'bad found'],
    ['only a target to jump to', { content: '<a id="x"></a><p>x</p>' }, 'na no_links'],
  ],
  'links.broken_internal': [
    ['nothing is known about other objects', { content: link('/x') }, 'na object_unknown'],
    ['a page that nobody knows', { ...toCars, surroundings: surroundedBy() }, 'na targets_unknown'],
    ['a published page', { ...toCars, surroundings: surroundedBy({ publishedLinks: [cars] }) }, 'good good'],
    ['a page that is gone', { ...toCars, surroundings: surroundedBy({ goneLinks: [cars] }) }, 'bad broken'],
    [
      'the same path of another site',
      {
        permalink,
        content: link('https://b.example/cars'),
        surroundings: surroundedBy({ goneLinks: [cars] }),
      },
      'na targets_unknown',
    ],
  ],
});

test('a link is marked with its tags', () => {
  const content = `<p>x ${link('javascript:x')}</p>`;
  const [position] = runCheck('links.crawlable', { content }).positions;
  expect(content.slice(position?.start, position?.end)).toBe(link('javascript:x').trim());
  expect(position?.excerpt).toBe('BMW prices');
});
