import type { InstallationRole } from '../../schema/permissions.ts';
import { product } from '../../test/support/product.ts';
import { type AreaName, areaNames, readExamples, readOperations } from './readExamples.ts';

const { market, send } = product();

/** Returns the access token of a caller for whom the examples of an area are. */
async function tokenFor(area: AreaName): Promise<string | undefined> {
  if (area === 'catalogue') return undefined;
  if (area === 'account') return (await market.user()).token;
  if (area === 'selling' || area === 'seo') {
    const dealer = await market.dealer();
    await dealer.listing({ published: true });
    return dealer.owner.token;
  }
  const role: InstallationRole = area === 'translation' ? 'translator' : 'installation_admin';
  return (await market.staff(role)).token;
}

test.each(areaNames)('every example operation of the area %s runs without an error', async (area) => {
  const token = await tokenFor(area);
  const operations = readOperations(area);
  expect(operations.length).toBeGreaterThan(1);
  for (const { title, text } of operations) {
    // A test in the browser follows the stream.
    if (text.includes('\nsubscription ')) continue;
    const { json } = await send({ method: 'POST', path: '/graphql', token, body: { query: text } });
    expect({ title, errors: json.errors }).toEqual({ title, errors: undefined });
    expect(Object.values(json.data)).not.toContain(null);
  }
});

test('every example operation has a title of its own and a name', () => {
  const operations = readExamples().flatMap((area) => area.operations);
  expect(new Set(operations.map(({ title }) => title)).size).toBe(operations.length);
  for (const { title, text } of operations) {
    expect(title).toMatch(/^[A-Z].{5,}/);
    expect(text).toMatch(/^(?:query|mutation|subscription) \w+/m);
  }
});
