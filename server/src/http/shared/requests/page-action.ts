import type { DashboardErrorCode } from '@gatehouse/contract/dashboard';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../../base/api-error.ts';
import type {
  ActionCall,
  ActionInput,
  ActionName,
  ActionResult,
  ErrorResponse,
  Success,
} from '../../../runtime/call.ts';
import type { PageParts } from './page-parts.ts';

/** Runs an action of a page. Pages show no error responses like those of the API, only what kind of error it was. */
export async function act<Name extends ActionName>(
  parts: PageParts,
  request: FastifyRequest,
  action: Name,
  input: ActionInput<Name>,
): Promise<ActionResult<Name>> {
  const outcome = await attempt(parts, request, action, input, []);
  return (outcome as ActionSuccess<Name>).result;
}

interface ActionSuccess<Name extends ActionName> extends Success {
  readonly result: ActionResult<Name>;
}

/**
 * Like `act`, but an error is a valid outcome, if it is one of those that are expected. By default every error is.
 * @param siteId the site that is changed; by default that of the page
 */
export async function attempt<Name extends ActionName>(
  { writer, clock }: PageParts,
  request: FastifyRequest,
  action: Name,
  input: ActionInput<Name>,
  expected?: readonly DashboardErrorCode[],
  siteId: string = request.site!.id,
): Promise<ActionSuccess<Name> | ErrorResponse> {
  const call: ActionCall<Name> = {
    action,
    siteId,
    changeContext: {
      actor: { type: 'member', id: null, name: null },
      requestId: request.id,
      ipAddress: request.ip,
      at: clock().toISOString(),
    },
    input,
  };
  const outcome = await writer.run(call);
  if (outcome.kind === 'success') return outcome as ActionSuccess<Name>;
  if (expected?.includes(outcome.code) ?? true) return outcome;
  throw new ApiError(outcome.code, `${action} failed: ${outcome.message}`);
}
