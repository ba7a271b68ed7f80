import { scoped } from '../../../subgraphs/platform/installation/scoped.ts';
import { LanguageSettingsModel } from '../../../subgraphs/translation/languages/language/model.ts';
import { toLanguageEntries } from '../../../subgraphs/translation/languages/language/toLanguageEntries.ts';
import type { Cell, Operation } from '../matrix/Operation.ts';
import type { Rule } from '../matrix/rules.ts';
import { breadthOf, isInOrder } from '../world/people.ts';

/** Lists of the installation need the permission for the whole installation. */
const readsAllLanguages: Rule = {
  kind: 'holds any',
  permissions: ['translations:read', 'languages:manage', 'translations:manage'],
};
const managesLanguages: Rule = { kind: 'holds any', permissions: ['languages:manage'] };

const languageReads: readonly Operation[] = [
  {
    field: 'Query.languages',
    rule: { kind: 'public' },
    selection: 'items { code }',
    cases: [
      {
        name: 'active',
        call: () => ({ variables: {} }),
        check: (data) => expect(codesIn(data)).toEqual(['en', 'de', 'fr']),
      },
      {
        name: 'all',
        rule: readsAllLanguages,
        call: () => ({ variables: { scope: 'ALL' }, query: { scope: 'all' } }),
        check: (data) => expect(codesIn(data).slice(0, 4)).toEqual(['en', 'de', 'fr', 'ar']),
      },
    ],
  },
  {
    field: 'Query.language',
    rule: { kind: 'public' },
    selection: 'code',
    cases: [
      {
        name: 'active',
        call: () => ({ variables: { code: 'de' } }),
        check: (data) => expect(data.code).toBe('de'),
      },
      {
        name: 'inactive',
        call: () => ({ variables: { code: 'ar' } }),
        check: (data, cell) => expect(data?.code ?? null).toBe(knowsAllLanguages(cell) ? 'ar' : null),
      },
    ],
  },
  {
    field: 'Query.defaultLanguage',
    rule: { kind: 'public' },
    selection: 'code',
  },
  {
    field: 'Query.negotiateLanguage',
    rule: { kind: 'public' },
    selection: 'code',
    cases: [{ call: () => ({ variables: { acceptLanguage: 'de' } }) }],
  },
  {
    field: 'Query.languageAddresses',
    rule: managesLanguages,
    selection: 'version',
  },
];

/** An unused code. */
const newCode = (): string =>
  `q${String.fromCharCode(...Array.from({ length: 7 }, () => 97 + Math.floor(Math.random() * 26)))}`;

/** The configured languages of the world. */
async function configured({ world }: Cell): Promise<string[]> {
  const { id } = world.app.stack.demo;
  const stored = await scoped(LanguageSettingsModel, id).findOne({ _id: id });
  return stored?.languages.map(({ code }) => code) ?? [];
}

/** Configures a language that an allowed call deletes. */
async function configureOne({ world, isAnswered }: Cell): Promise<string> {
  const code = newCode();
  const { id } = world.app.stack.demo;
  if (isAnswered)
    await scoped(LanguageSettingsModel, id).findOneAndUpdate(
      { _id: id },
      {
        $push: { languages: { $each: toLanguageEntries([{ code, bcp47: code, active: false }]) } },
        $inc: { version: 1 },
      },
    );
  return code;
}

/** Inputs of writes. All cells share the languages, so the writes change nothing that other cells read. */
const writes: Readonly<Record<string, (cell: Cell) => object | Promise<object>>> = {
  createLanguage: () => ({ code: newCode() }),
  updateLanguage: () => ({ code: 'fr', nativeName: null }),
  setLanguageActive: () => ({ code: 'fr', active: true }),
  setDefaultLanguage: () => ({ code: 'en' }),
  reorderLanguages: async (cell) => ({ codes: await configured(cell) }),
  updateLanguageAddresses: () => ({}),
  deleteLanguage: async (cell) => ({ code: await configureOne(cell) }),
};

const languageWrites: readonly Operation[] = Object.entries(writes).map(([field, inputOf]) => ({
  field: `Mutation.${field}`,
  rule: managesLanguages,
  selection: 'languages { version }',
  cases: [{ call: async (cell) => ({ variables: { input: await inputOf(cell) } }) }],
}));

/** Languages. */
export const languageOperations: readonly Operation[] = [...languageReads, ...languageWrites];

function codesIn(data: any): string[] {
  return (data.items ?? data.data).map(({ code }: { code: string }) => code);
}

function knowsAllLanguages({ who, style }: Cell): boolean {
  return style === 'graphql' && isInOrder(who) && breadthOf(who, 'translations:read') === 'any';
}
