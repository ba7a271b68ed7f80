import { grantTypes } from '../../../schema/grantTypes.ts';
import { clientScopes } from '../../../schema/permissions.ts';
import type { Exchange } from '../Exchange.ts';
import type { Gateway } from '../Gateway.ts';
import { sendDocument, toStoredDocument } from './storedDocument.ts';

/**
 * Sends the metadata of the authorization server (RFC 8414): only supported features. Every installation has its own
 * token endpoint, so the document is that of the requested host name. At an issuer URL without an installation it names
 * only the keys.
 */
export async function serverMetadata<Context>(
  gateway: Gateway<Context>,
  issuer: string,
  exchange: Exchange<Context>,
): Promise<void> {
  const { request, response, requestId } = exchange;
  const context = await gateway.openContext(request, {
    ignoreAuthorization: true,
    answersAtIssuerRoot: true,
    requestId,
    response,
  });
  exchange.context = context;
  const baseUrl = gateway.baseUrlOf(context);
  const metadata = {
    issuer,
    jwks_uri: `${baseUrl}/.well-known/jwks.json`,
    // Nothing redirects here: there is no authorization endpoint and no response type.
    response_types_supported: [],
    ...(gateway.isIssuerRoot(context) ? { grant_types_supported: [] } : endpointsAt(baseUrl)),
  };
  sendDocument(
    exchange,
    toStoredDocument('application/json', JSON.stringify(metadata), 'public, max-age=300'),
  );
}

function endpointsAt(baseUrl: string): object {
  return {
    token_endpoint: `${baseUrl}/api/v1/auth/token`,
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    revocation_endpoint: `${baseUrl}/api/v1/auth/revoke`,
    revocation_endpoint_auth_methods_supported: ['none'],
    grant_types_supported: grantTypes,
    scopes_supported: clientScopes,
    service_documentation: `${baseUrl}/docs`,
  };
}
