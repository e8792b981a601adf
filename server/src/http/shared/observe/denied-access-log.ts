import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { isUuid } from '../../../base/ids.ts';
import type { GateResult } from '../../../domain/access-rules/site-access.ts';
import { single } from '../requests/site-request.ts';
import type { SecurityEvent } from './log-fields.ts';
import { pathForLog } from './request-log.ts';

const windowSeconds = 60;
/** The maximum number of lines of one site with one reason in one window. */
const maxLinesPerReason = 20;

/**
 * Logs visits that the gate denied. Anyone can cause any number of them, so that the lines of each site are limited, apart
 * for each reason: many visits that are not logged in hide no others. The rest is counted.
 */
export class DeniedAccessLog {
  readonly #logger: FastifyBaseLogger;
  readonly #counts = new Map<string, number>();
  #window: NodeJS.Timeout | undefined;

  constructor(logger: FastifyBaseLogger) {
    this.#logger = logger;
  }

  /** @param ipAddress of the visitor, read only for a line that is written */
  denied(
    siteId: string,
    { decision: { reason }, visitor, credential, target }: GateResult,
    request: IncomingMessage,
    ipAddress: () => string | undefined,
  ): void {
    const event: SecurityEvent =
      credential === 'access-token' && !visitor ? 'access_token.refused' : 'access.denied';
    if (!this.#allowsLine(`${siteId} ${event} ${reason}`)) return;
    const requestId = single(request.headers['x-request-id']);
    const address = ipAddress() ?? '';
    this.#logger.info(
      {
        event,
        siteId,
        reason,
        ...(visitor && { memberId: visitor.memberId }),
        path: pathForLog(target),
        ...(isIP(address) > 0 && { ipAddress: address }),
        ...(requestId !== undefined && isUuid(requestId) && { requestId }),
      },
      'Access denied',
    );
  }

  /** Logs how many visits were omitted. */
  close(): void {
    clearTimeout(this.#window);
    this.#window = undefined;
    for (const [key, count] of this.#counts) {
      const [siteId, event, reason] = key.split(' ');
      const omitted = count - maxLinesPerReason;
      if (omitted > 0) {
        this.#logger.info({ event, siteId, reason, omitted }, 'Access was denied more often than is logged');
      }
    }
    this.#counts.clear();
  }

  #allowsLine(key: string): boolean {
    this.#window ??= setTimeout(() => this.close(), windowSeconds * 1_000).unref();
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count <= maxLinesPerReason;
  }
}
