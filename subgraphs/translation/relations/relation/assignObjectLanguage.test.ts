import { concurrently } from '../../../../test/support/concurrently.ts';
import { product } from '../../../../test/support/product.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { openDesk, ref } from '../../fixture/openDesk.ts';

const { people, car, silentCar, link, linkCars, translate } = openDesk(product());
const assign = (id: string, language: string, as = people.editor) =>
  as.assignObjectLanguage(
    { object: ref(id), language },
    'changed translation { id ref { objectId } languageCode status live version }',
  );

test('an object with an assigned language is linked without stating it again', async () => {
  const id = await silentCar();
  const translation = { ref: { objectId: id }, languageCode: 'pt-br', live: true };
  expect(await assign(id, 'PT_br')).toMatchObject({ changed: true, translation });
  expect(await assign(id, 'br')).toMatchObject({ changed: false, translation: { version: 1 } });
  const { group } = await link({ object: ref(id), relatedTo: ref(await car()) });
  expect(group.members).toMatchObject([{}, { ref: { objectId: id }, languageCode: 'pt-br' }]);
});

test('an assigned language can be changed only while the object is in no group', async () => {
  const id = await silentCar();
  await assign(id, 'de');
  const translation = { languageCode: 'fr', version: 2 };
  expect(await assign(id, 'fr')).toMatchObject({ changed: true, translation });
  await link({ object: ref(id), relatedTo: ref(await car()) });
  expect(await assign(id, 'de')).toBeRefused(422, 'language_mismatch');
  expect((await assign(id, 'fr')).changed).toBe(false);
});

test('a language that contradicts the owner, a group or a translation is refused', async () => {
  const [, french] = await linkCars('en', 'fr');
  const { id: text } = await translate(await car());
  for (const id of [await car({ language: 'en-GB' }), await car({ language: 'sw' }), french, text])
    expect(await assign(id, 'de')).toBeRefused(422, 'language_mismatch');
  const translation = { id: null, languageCode: 'en' };
  expect(await assign(await car(), 'en')).toMatchObject({ changed: false, translation });
});

test('a language that is not configured and an object that does not exist are refused', async () => {
  expect(await assign(await silentCar(), 'tlh')).toBeRefused(422, 'language_not_configured');
  expect(await assign(newId('listing'), 'de')).toBeRefused(404, 'object_not_found');
});

test('concurrent assignments create one record', async () => {
  const id = await silentCar();
  const answers = await concurrently(8, () => assign(id, 'de'));
  expect(new Set(answers.map(({ translation }) => translation.id)).size).toBe(1);
});
