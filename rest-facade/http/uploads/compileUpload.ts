import type { RouteBinding } from '../../../schema/route/RouteBinding.ts';
import { readUploadToken, type UploadGrant } from '../../../subgraphs/platform/storage/uploadToken.ts';
import { dataOf } from '../answer/dataOf.ts';
import type { Exchange } from '../Exchange.ts';
import type { FileSource } from '../FileSource.ts';
import type { Gateway } from '../Gateway.ts';
import { invalidMembers, Refusal } from '../Refusal.ts';
import { compileHeaders } from '../request/compileHeaders.ts';
import { compileParameters, type Variables } from '../request/compileParameters.ts';
import { compileForm } from '../request/compileRequestBody.ts';
import { type Form, readForm } from '../request/readForm.ts';
import { readQuery } from '../request/readQuery.ts';
import { checkBytes } from './checkBytes.ts';

type Data = Record<string, unknown>;

/** Result of the operation that declares a file. */
interface Declared {
  id: string;
  /** Upload link; null if nothing must be uploaded. */
  upload: { url: string } | null;
}

/** Routes whose fields an upload executes: one declares the file, one completes it. */
interface UploadRoutes {
  declaring: RouteBinding;
  completing: RouteBinding;
}

/**
 * Compiles a route that accepts a form with a file besides JSON. The operation of the route declares the file and
 * returns an upload link, the bytes are sent there, and a second operation completes the upload. Both styles therefore
 * have the same guards, and this adapter may do only what any client may.
 *
 * @returns the result of such a request, as data of the route's own operation
 */
export async function compileUpload<Context>(
  { declaring, completing }: UploadRoutes,
  gateway: Gateway<Context>,
  source: FileSource,
): Promise<(exchange: Exchange<Context>, context: Context) => Promise<{ data: Data; variables: Variables }>> {
  const declare = await gateway.prepare(declaring.route.document, declaring.route.operationName);
  const complete = await gateway.prepare(completing.route.document, completing.route.operationName);
  const bind = compileFields(declaring);
  const resultOf = (data: Data, { route }: RouteBinding) => valueAt(data, route.result ?? []);
  return async (exchange, context) => {
    const form = await readForm(exchange.request);
    try {
      if (form.contentType.startsWith('video/'))
        throw new Refusal(
          'unsupported_media_type',
          'A video cannot be sent in a form. Create it with JSON and send it to its upload link.',
        );
      const variables = bind(exchange, form);
      const declaration = dataOf(await declare.execute(variables, context), false, declaring.route.result);
      const { id, upload } = resultOf(declaration, declaring) as unknown as Declared;
      const grant = upload && grantOf(source, upload.url, gateway.installationIdOf(context));
      // A retry under the same key needs no bytes: they are already stored.
      if (grant) await storeForm(source, grant, form);
      const completion = await complete.execute({ input: { mediaId: id } }, context);
      const media = resultOf(dataOf(completion, false, completing.route.result), completing);
      return { data: nest(declaring.route.result ?? [], media), variables };
    } finally {
      form.abandon();
    }
  };
}

/** Compiles the fields of the form, which are members of the input; the part of the file states its name and type. */
function compileFields(binding: RouteBinding) {
  const { route, parameters, paging, body } = binding;
  const reader = compileParameters(route.pathParameters, parameters, paging);
  const readHeaders = compileHeaders(binding);
  const readFields = compileForm(binding);
  return ({ request, queryText }: Exchange, { fields, filename, contentType }: Form): Variables => {
    const variables: Variables = {};
    reader.readQuery(readQuery(queryText), variables);
    readHeaders(request, variables);
    const problems: Parameters<typeof readFields>[1] = [];
    const members = new Map([['filename', [filename]], ['contentType', [contentType]], ...fields]);
    const input = readFields(members, problems);
    if (problems.length > 0) throw invalidMembers(problems);
    const name = body?.variable ?? 'input';
    variables[name] = { ...(variables[name] as object | undefined), ...input };
    return variables;
  };
}

function grantOf({ uploadSecret }: FileSource, url: string, installationId: string): UploadGrant {
  const grant = readUploadToken(uploadSecret, url.slice(url.lastIndexOf('/') + 1));
  if (grant?.installationId !== installationId)
    throw new Error('The upload link belongs to another deployment.');
  return grant;
}

/** Stores the file of a form at the target of a grant, completely or not at all. */
export async function storeForm({ storage }: FileSource, grant: UploadGrant, { bytes }: Form): Promise<void> {
  const checked = checkBytes(grant);
  bytes.on('error', (error) => void checked.destroy(error));
  await storage.put(grant.key, bytes.pipe(checked), { contentType: grant.contentType });
}

function valueAt(data: Data, path: readonly string[]): Data {
  let value: unknown = data;
  for (const key of path) value = (value as Data)[key];
  return value as Data;
}

function nest(path: readonly string[], value: unknown): Data {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Data;
}
