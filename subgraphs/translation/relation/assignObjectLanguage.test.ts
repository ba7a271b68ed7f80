import { newId } from '../../platform/ids/newId.ts';
import { openShop, type Shop } from '../fixture/openShop.ts';
import { assignLanguage, create } from '../fixture/operations.ts';
import { relationsOf } from '../fixture/relations.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stack.close());

const { listing, linked, makeGroup } = relationsOf(() => shop);
const assigned = async (id: string, language: string, as = shop.people.editor) =>
  (await shop.ask(assignLanguage, { input: { object: listing(id), language } }, { as })).assignObjectLanguage;
const refused = async (id: string, language: string, as = shop.people.editor) =>
  (await shop.refuse(assignLanguage, { input: { object: listing(id), language } }, { as })).code;
const silent = (options = {}) => shop.listing({ languageTag: null, ...options });

describe('assigning a language', () => {
  test('gives an object its language, after which it is linked without saying it again', async () => {
    const id = silent();
    const first = await assigned(id, 'PT_br');
    expect(first).toMatchObject({
      changed: true,
      translation: { ref: { id }, languageCode: 'pt-br', live: true },
    });
    expect(await assigned(id, 'br')).toMatchObject({ changed: false, translation: { version: 1 } });
    const { group } = await linked({ object: listing(id), relatedTo: listing(shop.listing()) });
    expect(group.members).toMatchObject([{}, { ref: { id }, languageCode: 'pt-br' }]);
  });

  test('can be corrected while the object is in no group', async () => {
    const id = silent();
    await assigned(id, 'de');
    expect(await assigned(id, 'fr')).toMatchObject({
      changed: true,
      translation: { languageCode: 'fr', version: 2 },
    });
    await linked({ object: listing(id), relatedTo: listing(shop.listing()) });
    expect(await refused(id, 'de')).toBe('language_mismatch');
    expect((await assigned(id, 'fr')).changed).toBe(false);
  });

  test('never contradicts the owner, a group or a translation', async () => {
    expect(await refused(shop.listing({ languageTag: 'en-GB' }), 'de')).toBe('language_mismatch');
    expect(await refused(shop.listing({ languageTag: 'sw' }), 'de')).toBe('language_mismatch');
    const own = await assigned(shop.listing(), 'en');
    expect(own).toMatchObject({ changed: false, translation: { id: null, languageCode: 'en' } });
    const [, french = ''] = await makeGroup('en', 'fr');
    expect(await refused(french, 'de')).toBe('language_mismatch');
    const input = { source: listing(shop.listing()), language: 'fr' };
    const { translation } = (await shop.ask(create, { input })).createTranslation;
    expect(await refused(translation.id, 'de')).toBe('language_mismatch');
  });

  test('needs a configured language, the object, and the right to edit it', async () => {
    const id = silent();
    expect(await refused(id, 'tlh')).toBe('language_not_configured');
    expect(await refused(newId('listing'), 'de')).toBe('object_not_found');
    expect(await refused(silent({ installationId: shop.stack.other.id }), 'de')).toBe('object_not_found');
    expect(await refused(id, 'de', shop.people.rival)).toBe('ownership_required');
    expect(await refused(id, 'de', shop.people.translator)).toBe('permission_required');
    expect((await assigned(id, 'de', shop.people.dealer)).changed).toBe(true);
  });

  test('of many at once exactly one record comes to be', async () => {
    const id = silent();
    const answers = await Promise.all(Array.from({ length: 8 }, () => assigned(id, 'de')));
    expect(new Set(answers.map(({ translation }) => translation.id)).size).toBe(1);
  });
});
