import type { IncomingMessage } from 'node:http';
import { parse } from 'graphql';
import type { RouteBinding } from '../../../schema/route/RouteBinding.ts';
import { readUploadToken, type UploadGrant } from '../../../subgraphs/platform/storage/uploadToken.ts';
import { dataOf } from '../answer/dataOf.ts';
import type { Exchange } from '../Exchange.ts';
import type { FileSource } from '../FileSource.ts';
import type { Gateway } from '../Gateway.ts';
import { assertMediaType } from '../mediaTypes.ts';
import { invalidMembers, Refusal } from '../Refusal.ts';
import type { Variables } from '../request/compileParameters.ts';
import { compileForm } from '../request/compileRequestBody.ts';
import { hasBody } from '../request/readBody.ts';
import { type Form, isForm, readForm } from '../request/readForm.ts';
import { assertPresent, watchBody } from '../request/watchBody.ts';
import { checkBytes } from './checkBytes.ts';
import { storeForm } from './compileUpload.ts';

/** The body of a route when it is a file, or a form with one. */
export interface FileBody<Context> {
  /**
   * Returns whether this request contains a file, by its media type; throws 413 immediately if its length is too large.
   */
  isIn(exchange: Exchange<Context>): boolean;
  /** Requests permission, stores the bytes, and adds the token of the upload to the input. */
  take(exchange: Exchange<Context>, context: Context, variables: Variables): Promise<void>;
}

/**
 * Compiles how a route receives a file. A field of the schema authorizes the upload, this function streams the bytes to
 * the store, and the route's own field processes the file. Null for a route without a file.
 */
export async function compileFile<Context>(
  binding: RouteBinding,
  gateway: Gateway<Context>,
  source: FileSource,
): Promise<FileBody<Context> | null> {
  const { fileBody, pathParameters } = binding.route;
  if (!fileBody) return null;
  const { field, types } = fileBody;
  const accepted = new Set(types);
  const inputType = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input`;
  const text = `mutation ${field}($input: ${inputType}!) { ${field}(input: $input) { uploadToken } }`;
  const opening = await gateway.prepare(parse(text, { noLocation: true }), field);
  const mostBytes = binding.traits.bodyBytes ?? Number.MAX_SAFE_INTEGER;
  const addFields = compileFields(binding);
  const open = async (context: Context, stated: Record<string, unknown>, contentType: string) => {
    const place = Object.fromEntries(pathParameters.map((name) => [name, stated[name]]));
    const execution = opening.execute({ input: { ...place, contentType } }, context);
    const data = dataOf(await execution, false, [field]);
    const { uploadToken } = data[field] as { uploadToken: string };
    const grant = readUploadToken(source.uploadSecret, uploadToken);
    if (!grant) throw new Error(`"${field}" returned a token that this deployment did not issue.`);
    return { uploadToken, grant };
  };
  return {
    isIn: ({ request }) => isForm(request) || isFile(request, accepted, mostBytes),
    async take({ request }, context, variables) {
      const stated = variables.input as Record<string, unknown>;
      if (!isForm(request)) {
        const { uploadToken, grant } = await open(context, stated, assertMediaType(request, accepted));
        await storeBody(request, grant, source);
        variables.input = { ...stated, uploadToken };
        return;
      }
      const form = await readForm(request);
      try {
        const input = addFields(stated, form);
        const { uploadToken, grant } = await open(context, stated, typeOf(form, accepted));
        await storeForm(source, grant, form);
        variables.input = { ...input, uploadToken };
      } finally {
        form.abandon();
      }
    },
  };
}

function isFile(request: IncomingMessage, accepted: ReadonlySet<string>, mostBytes: number): boolean {
  const { headers } = request;
  const type = headers['content-type']?.toLowerCase().split(';', 1)[0]?.trim() ?? '';
  if (!accepted.has(type)) return false;
  if (!hasBody(request)) throw new Refusal('malformed_request', 'The file is missing.');
  if (headers['content-encoding'] !== undefined)
    throw new Refusal('unsupported_media_type', 'A file must be sent without Content-Encoding.');
  if (Number(headers['content-length'] ?? 0) > mostBytes)
    throw new Refusal('payload_too_large', `A file of this route must have at most ${mostBytes} bytes.`);
  return true;
}

async function storeBody(
  request: IncomingMessage,
  grant: UploadGrant,
  { storage }: FileSource,
): Promise<void> {
  assertPresent(request);
  const checked = checkBytes(grant);
  const stop = watchBody(request, grant.mostBytes, (error) => checked.destroy(error));
  try {
    await storage.put(grant.key, request.pipe(checked), { contentType: grant.contentType });
  } finally {
    stop();
  }
}

/** Compiles the fields of the form, which are members of the input and must not contradict the query. */
function compileFields(binding: RouteBinding) {
  const readFields = compileForm(binding);
  return (stated: Record<string, unknown>, { fields }: Form): Record<string, unknown> => {
    const problems: Parameters<typeof readFields>[1] = [];
    const input = readFields(fields, problems);
    if (problems.length > 0) throw invalidMembers(problems);
    return { ...input, ...stated };
  };
}

/** Returns the type of a file. Browsers know few types, so it is derived from the name if none is stated. */
function typeOf({ contentType, filename }: Form, accepted: ReadonlySet<string>): string {
  const type = contentType.toLowerCase();
  if (accepted.has(type)) return type;
  const ending = filename.slice(filename.lastIndexOf('.') + 1).toLowerCase();
  const byName = [...accepted].find(
    (candidate) => candidate.endsWith(`/${ending}`) || candidate.endsWith(`-${ending}`),
  );
  if (byName) return byName;
  throw new Refusal('unsupported_media_type', `The type of the file must be ${[...accepted].join(' or ')}.`);
}
