import type { Definitions } from '../setting-definition.ts';
import { limit, numberParser, wholeNumber } from '../setting-values.ts';

export const requestSettings = {
  GATEHOUSE_RATE_LIMIT: {
    default: 1_000,
    about: 'requests of one API key in 60 s; 0 for no limit',
    ...limit('requests in 60 s'),
  },
  GATEHOUSE_RATE_LIMIT_UNAUTHENTICATED: {
    default: 60,
    about:
      'requests of one IP address without a valid key in 60 s, or of one IPv6 network (/64), and 16 times as many of a wider one (/48); 0 for no limit',
    ...limit('requests in 60 s'),
  },
  GATEHOUSE_REDIS_URL: {
    default: undefined,
    about:
      'shares the rate limits between several processes or machines: `redis://host:6379`, or `rediss://` for TLS; workers share them without it',
    isSecret: true,
    expected: 'redis://<host>:<port>',
    parse: (text: string) => (/^rediss?:\/\/[^/]/.test(text) ? text : undefined),
  },
  GATEHOUSE_STORED_RESPONSES_MEBIBYTES: {
    default: 2_048,
    about:
      'what the responses may take that are stored in 24 h for the [idempotency keys](decisions/0010-stored-responses.md) of one API key; 0 for no limit',
    expected: 'a whole number of MiB in 24 h up to 200000, 0 for no limit',
    parse: numberParser(0, 200_000),
  },
  GATEHOUSE_REQUEST_TIMEOUT_SECONDS: {
    default: 15,
    about: 'the maximum time for a client to send a request',
    details:
      'A body that arrives with less than 1 KiB/s ends after 10 seconds. Uploads to the program of a site may take an hour',
    ...wholeNumber(1, 3_600, 'seconds'),
  },
} satisfies Definitions;
