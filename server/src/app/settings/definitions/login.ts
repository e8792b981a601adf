import type { Definitions } from '../setting-definition.ts';
import { numberParser } from '../setting-values.ts';

export const loginSettings = {
  GATEHOUSE_LOGIN_LIMIT: {
    default: 5,
    about:
      'login links for one email address in 15 minutes, counted separately for each known browser (one in which the member has logged in before), and together for all other browsers; 0 for no limit',
    expected:
      'a whole number: login links for one email address in 15 minutes, in each known browser and in all others together; 0 for no limit',
    parse: numberParser(0, 1_000_000_000),
  },
  GATEHOUSE_LOGIN_LIMIT_CLIENT: {
    default: 300,
    about:
      'login forms sent from one IP address in 15 minutes, or from one IPv6 network (/64), and 16 times as many from a wider one (/48); known browsers, and requests with passkeys, are counted separately; 0 for no limit',
    expected:
      'a whole number: forms sent from one IP address, or by one known browser, in 15 minutes; 0 for no limit',
    parse: numberParser(0, 1_000_000_000),
  },
  GATEHOUSE_OPERATOR_SESSION_IDLE_HOURS: {
    default: 12,
    about: 'hours without use after which an operator has to log in to the dashboard again',
    details: 'An open page that nobody uses does not count as use',
    expected: 'a whole number of hours from 1 to 4320: when an operator who does nothing is logged out',
    parse: numberParser(1, 4_320),
  },
  GATEHOUSE_OPERATOR_SESSION_DAYS: {
    default: 30,
    about: 'days after which an operator has to log in again in any case',
    expected: 'a whole number of days from 1 to 180: when an operator has to log in again',
    parse: numberParser(1, 180),
  },
  GATEHOUSE_REQUIRE_PASSKEYS: {
    default: false,
    about: 'with `true`, operators can use the dashboard only after logging in with a passkey',
    details:
      'Without one they log in by email and add one. For an operator who has lost it, there is [`operators remove-passkeys`](command-line.md#operators)',
    expected: 'true, so that operators have to log in with a passkey, or false',
    parse: (text: string) => (text === 'true' || text === 'false' ? text === 'true' : undefined),
  },
} satisfies Definitions;
