import { type DocumentNode, type GraphQLError, Kind, parse } from 'graphql';
import type { Engine, Prepared, Refused } from '../execution/Engine.ts';
import { requestError, withCode } from '../execution/operation/requestErrors.ts';
import { type RegisteredDocument, withoutAlgorithm } from './readOperations.ts';

/** One registered and prepared document. */
export interface RegisteredOperation {
  readonly id: string;
  readonly text: string;
  /** Returns the operation with this name, or the only one. */
  prepared(operationName: string | undefined): Prepared | Refused;
}

/** An operation that does not fit the schema. */
export interface UnfitOperation {
  readonly id: string;
  readonly reason: string;
}

/** The registered operations of one engine. */
export class RegisteredOperations {
  readonly #byId = new Map<string, RegisteredOperation>();
  readonly #byText = new Map<string, RegisteredOperation>();
  /** Operations that do not match the schema; their errors are returned. */
  readonly unfit: UnfitOperation[] = [];

  private constructor() {}

  /** Parses, validates, plans and compiles all operations of the documents. */
  static async prepare(
    documents: readonly RegisteredDocument[],
    engine: Pick<Engine, 'prepareKnown'>,
  ): Promise<RegisteredOperations> {
    const registered = new RegisteredOperations();
    for (const document of documents) registered.#add(document, await prepareAll(document.text, engine));
    return registered;
  }

  #add({ id, text }: RegisteredDocument, byName: ByName): void {
    for (const result of byName.values())
      if ('errors' in result) this.unfit.push({ id, reason: result.errors[0]?.message ?? '' });
    const operation = { id, text, prepared: (name: string | undefined) => choose(byName, name) };
    this.#byId.set(id, operation);
    this.#byText.set(text, operation);
  }

  get count(): number {
    return this.#byId.size;
  }

  find(id: string): RegisteredOperation | undefined {
    return this.#byId.get(withoutAlgorithm(id));
  }

  findByText(text: string): RegisteredOperation | undefined {
    return this.#byText.get(text);
  }
}

type ByName = ReadonlyMap<string, Prepared | Refused>;

async function prepareAll(text: string, engine: Pick<Engine, 'prepareKnown'>): Promise<ByName> {
  let document: DocumentNode;
  try {
    document = parse(text, { noLocation: true });
  } catch (error) {
    return new Map([['', { errors: [withCode(error as GraphQLError, 'GRAPHQL_PARSE_FAILED')] }]]);
  }
  const names = document.definitions.flatMap((node) =>
    node.kind === Kind.OPERATION_DEFINITION ? [node.name?.value ?? ''] : [],
  );
  const byName = new Map<string, Prepared | Refused>();
  for (const name of names.length === 0 ? [''] : names)
    byName.set(name, await engine.prepareKnown(document, name));
  return byName;
}

function choose(byName: ByName, name: string | undefined): Prepared | Refused {
  const found = name ? byName.get(name) : byName.size === 1 ? [...byName.values()][0] : undefined;
  if (found) return found;
  const message = name
    ? `The document has no operation named "${name}".`
    : 'The document has several operations. Send "operationName".';
  return { errors: [requestError(message, 'OPERATION_RESOLUTION_FAILURE')] };
}
