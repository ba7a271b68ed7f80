import { commandsOf } from '../../../test/support/commandsOf.ts';
import { openShop, type Shop } from '../fixture/openShop.ts';
import { unlink } from '../fixture/operations.ts';
import { relationsOf } from '../fixture/relations.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stack.close());

const { listing, linked } = relationsOf(() => shop);

/** Commands on the collections of links; the caller and the languages are known by others. */
const commandsOn = async (work: () => Promise<unknown>): Promise<string[]> =>
  (await commandsOf(work)).filter((command) => / (translations|relation_groups)$/.test(command));

test('a link writes its group in one command and both objects in another one, and reads nothing back', async () => {
  const [english, french] = [shop.listing(), shop.listing({ languageTag: 'fr' })];
  const link = () => linked({ object: listing(french), relatedTo: listing(english) });
  const leave = () => shop.ask(unlink, { input: { objectType: 'LISTING', objectId: french } });
  const before = shop.neighbour.questions;
  expect(await commandsOn(link)).toEqual([
    'find translations',
    'insert relation_groups',
    'insert translations',
  ]);
  expect(shop.neighbour.questions - before).toBe(1);
  expect(await commandsOn(leave)).toEqual([
    'find translations',
    'find translations',
    'findAndModify relation_groups',
    'update translations',
  ]);
  expect(await commandsOn(link)).toEqual([
    'find translations',
    'insert relation_groups',
    'update translations',
  ]);
});

test('a link to a group of many costs what one to a group of two costs', async () => {
  const source = shop.listing();
  const cost = (languageTag: string) => {
    const object = listing(shop.listing({ languageTag }));
    return commandsOn(() => linked({ object, relatedTo: listing(source) }));
  };
  await cost('fr');
  const second = await cost('de');
  expect([...second].sort()).toEqual([
    'find translations',
    'find translations',
    'findAndModify relation_groups',
    'insert translations',
  ]);
  expect(await cost('ar')).toEqual(second);
});
