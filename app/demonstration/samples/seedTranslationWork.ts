import { seedOperation } from '../seedOperation.ts';
import { listingOf, type SampleContext } from './SampleContext.ts';

const createTranslation = seedOperation(`mutation createTranslation($input: CreateTranslationInput!) {
  createTranslation(input: $input) { translation { id } }
}`);
const readTranslation = seedOperation('query translation($id: ID!) { translation(id: $id) { status } }');
const changeStatus = seedOperation(`mutation changeTranslationStatus($input: ChangeTranslationStatusInput!) {
  changeTranslationStatus(input: $input) { translation { id } }
}`);

/** German translations by stock number: the states through which each goes, and a note about the last one. */
const work = {
  'CAR-0025': { states: [], note: null },
  'CAR-0026': { states: ['IN_PROGRESS'], note: null },
  'CAR-0027': {
    states: ['IN_PROGRESS', 'NEEDS_REVIEW'],
    note: 'Please check the technical terms of the engine.',
  },
  'CAR-0028': { states: ['IN_PROGRESS', 'NEEDS_REVIEW', 'PUBLISHED', 'ARCHIVED'], note: null },
} as const;

/** Creates translations in the states between draft and archived. */
export async function seedTranslationWork(context: SampleContext): Promise<void> {
  const { translator, editor } = context.as;
  for (const [stockNumber, { states, note }] of Object.entries(work)) {
    const { id, car } = listingOf(context, stockNumber);
    const { createTranslation: created } = await translator.call<{
      createTranslation: { translation: { id: string } };
    }>(createTranslation, {
      input: {
        source: { type: 'LISTING', id },
        language: 'de',
        fields: car.german,
        idempotencyKey: `demonstration-work-${id}`,
      },
    });
    const { translation } = await editor.call<{ translation: { status: string } }>(readTranslation, {
      id: created.translation.id,
    });
    // An earlier start that was interrupted may have made some of these changes.
    const reached = states.findIndex((status) => status === translation.status);
    for (const status of states.slice(reached + 1)) {
      // Only an editor publishes and archives.
      const actor = status === 'PUBLISHED' || status === 'ARCHIVED' ? editor : translator;
      const isLast = status === states.at(-1);
      await actor.call(changeStatus, {
        input: { id: created.translation.id, status, ...(isLast && note !== null ? { note } : {}) },
      });
    }
  }
}
