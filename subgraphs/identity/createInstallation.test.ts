import { product } from '../../test/support/product.ts';
import { unique } from '../../test/support/seed.ts';
import { scoped } from '../platform/installation/scoped.ts';
import { createDefaultCategories } from './listings/category/createDefaultCategories.ts';
import { CategoryModel } from './listings/category/model.ts';
import { storeDealer } from './people/dealer/storeDealer.ts';
import { createUser } from './people/user/createUser.ts';

const { neighbour, stack } = product();

test('a new installation is found by its host and has a tree of categories', async () => {
  const { installation, categories } = await neighbour({
    settings: { listingLifeDays: 14 },
  });
  expect(stack.platform.installations.findByHost(installation.hosts[0] ?? '')).toEqual(installation);
  expect(installation.settings).toMatchObject({ moderation: 'post', listingLifeDays: 14 });
  const cars = await scoped(CategoryModel, installation.id).findOne({ slug: 'cars' });
  expect(cars).toMatchObject({ _id: categories.cars, leaf: true, ancestorIds: [categories.vehicles] });
  expect(cars?.attributeSchema?.required).toContain('mileageKm');
});

test('creating the default categories again concurrently adds no categories', async () => {
  const { installation, categories } = await neighbour();
  const again = await Promise.all(
    [1, 2, 3].map(() => createDefaultCategories(installation.id, new Date(stack.platform.now()))),
  );
  for (const ids of again) expect(ids).toEqual(categories);
  expect(await scoped(CategoryModel, installation.id).count({})).toBe(Object.keys(categories).length);
});

test('two installations share no categories', async () => {
  const [one, other] = [await neighbour(), await neighbour()];
  const ids = new Set(Object.values(one.categories));
  expect(Object.values(other.categories).filter((id) => ids.has(id))).toEqual([]);
});

test('the slug of a dealer and the address of a user are unique within an installation', async () => {
  const [one, other] = [await neighbour(), await neighbour()];
  const dealer = { tradeName: unique('Garage Müller'), contactEmail: 'a@example.test', members: [] };
  const first = await storeDealer(one.installation, dealer, stack.platform);
  expect(first.slug).toMatch(/^garage-muller-[0-9a-f]{10}$/);
  await expect(storeDealer(one.installation, dealer, stack.platform)).rejects.toMatchObject({
    code: 'slug_taken',
  });
  await storeDealer(other.installation, dealer, stack.platform);
  const user = { email: `${unique('u')}@example.test`, displayName: 'U' };
  await createUser(one.installation, user, stack.platform);
  await expect(createUser(one.installation, user, stack.platform)).rejects.toMatchObject({
    code: 'email_taken',
  });
  await createUser(other.installation, user, stack.platform);
});
