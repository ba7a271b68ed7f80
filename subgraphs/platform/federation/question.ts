import DataLoader from 'dataloader';
import type { Question, QuestionVariables } from '../context/AskSubgraph.ts';
import type { RequestContext } from '../context/RequestContext.ts';

/** Definition of a question and of its answer. */
interface Definition<Key, Entity, Answer> extends Question {
  /** Returns the name of a key: keys with the same name have the same result. */
  nameOf(key: Key): string;
  /** Returns the rank of a key. Of keys with the same name, only one with the highest rank is asked. */
  rankOf?(key: Key): number;
  /** Variables except the records. Keys with equal variables are sent as one operation. */
  variablesOf?(key: Key): object;
  toRepresentation(key: Key): QuestionVariables['representations'][number];
  /** Converts the entity, or null if the subgraph does not know it. */
  toAnswer(entity: Entity | null, key: Key): Answer | Error;
  /** Whether a failure is only logged, and treated as if the entity were unknown. */
  readonly isOptional?: boolean;
}

const mostRecords = 1000;

/**
 * Returns a question with its loader. All keys of one tick are batched, and each is asked once for each request. Use it
 * as `context.loader(question.loader)`.
 */
export function question<Key, Entity, Answer>(
  definition: Definition<Key, Entity, Answer>,
): Question & { readonly loader: (context: RequestContext) => DataLoader<Key, Answer, string> } {
  const { nameOf, rankOf = () => 0 } = definition;
  return {
    subgraph: definition.subgraph,
    document: definition.document,
    loader: (context) =>
      new DataLoader((keys) => answer(definition, keys, context), {
        maxBatchSize: mostRecords,
        cacheKeyFn: (key) => `${rankOf(key)}:${nameOf(key)}`,
      }),
  };
}

async function answer<Key, Entity, Answer>(
  definition: Definition<Key, Entity, Answer>,
  keys: readonly Key[],
  context: RequestContext,
): Promise<(Answer | Error)[]> {
  const { nameOf, rankOf = () => 0, variablesOf = () => ({}), toAnswer } = definition;
  if (context.depth > 0)
    throw new Error('A subgraph that answers a question about a record must not ask another subgraph.');
  const fullest = new Map<string, Key>();
  for (const key of keys) {
    const known = fullest.get(nameOf(key));
    if (known === undefined || rankOf(known) < rankOf(key)) fullest.set(nameOf(key), key);
  }
  const answers = new Map<string, Answer | Error>();
  const alike = Map.groupBy(fullest.values(), (key) => JSON.stringify(variablesOf(key)));
  await Promise.all(
    [...alike.values()].map(async (some) => {
      const entities = await ask(definition, some, context);
      for (const [index, key] of some.entries())
        answers.set(nameOf(key), toAnswer((entities[index] as Entity | null | undefined) ?? null, key));
    }),
  );
  return keys.map((key) => answers.get(nameOf(key)) as Answer | Error);
}

async function ask<Key>(
  definition: Definition<Key, never, unknown>,
  keys: readonly Key[],
  context: RequestContext,
): Promise<readonly unknown[]> {
  const { subgraph, variablesOf, toRepresentation, isOptional = false } = definition;
  const [first] = keys as [Key];
  const representations = keys.map(toRepresentation);
  try {
    const variables = { ...variablesOf?.(first), representations };
    return (await context.platform.ask(definition, variables, context))._entities;
  } catch (error) {
    if (!isOptional) throw error;
    context.platform.log.warn(
      { err: error, subgraph, requestId: context.requestId },
      'question not answered',
    );
    return [];
  }
}
