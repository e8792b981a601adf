import { Gatehouse } from '@gatehouse/client';
import Stripe from 'stripe';

export interface Settings {
  readonly stripe: Stripe;
  readonly gatehouse: Gatehouse;
  /** The access groups that each price gives. */
  readonly groupsOfPrices: ReadonlyMap<string, readonly string[]>;
  readonly webhookSecret: string;
  /** Whether the key is for real payments: events of the other mode are ignored. */
  readonly livemode: boolean;
}

/** Of one request. Stripe sends the event again if it gets no answer for too long. */
const timeoutMilliseconds = 10_000;

/** The settings in the environment. Ends the program with a message if one is missing or cannot be used. */
export async function readSettings(): Promise<Settings> {
  try {
    const settings = toSettings();
    await requireCustomGroups(settings);
    return settings;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

function toSettings(): Settings {
  const stripeKey = required('STRIPE_KEY');
  return {
    stripe: new Stripe(stripeKey, {
      timeout: timeoutMilliseconds,
      ...addressOfStripe(process.env.STRIPE_API),
    }),
    gatehouse: new Gatehouse({
      url: required('GATEHOUSE_URL'),
      key: required('GATEHOUSE_KEY'),
      timeoutMilliseconds,
      retries: 1,
      userAgent: 'stripe-example',
    }),
    groupsOfPrices: readGroups(required('GROUPS_OF_PRICES')),
    webhookSecret: required('STRIPE_WEBHOOK_SECRET'),
    livemode: stripeKey.includes('_live_'),
  };
}

function required(name: string): string {
  const value = process.env[name]?.trim();
  if (!value) throw new Error(`Set ${name}.`);
  return value;
}

/** Another address than that of Stripe, for tests. */
function addressOfStripe(given: string | undefined): Stripe.StripeConfig {
  if (!given) return {};
  const { hostname: host, port, protocol } = new URL(given);
  return { host, port, protocol: protocol === 'http:' ? 'http' : 'https' };
}

/** Reads `{"price_…": "<group>", "price_…": ["<group>", "<group>"]}`. */
function readGroups(text: string): Map<string, string[]> {
  try {
    const groups: [string, string | string[]][] = Object.entries(JSON.parse(text));
    return new Map(groups.map(([price, ids]) => [price, [ids].flat()]));
  } catch (cause) {
    throw new Error('GROUPS_OF_PRICES must be JSON: {"price_…": "<id of an access group>"}.', { cause });
  }
}

/** Found out now and not with the first payment. */
async function requireCustomGroups({ gatehouse, groupsOfPrices }: Settings): Promise<void> {
  for (const id of new Set([...groupsOfPrices.values()].flat())) {
    const { name, type } = await gatehouse.accessGroups.get(id).catch((error) => {
      throw new Error(`GROUPS_OF_PRICES, ${id}: ${error.message}`, { cause: error });
    });
    if (type === 'scope') {
      throw new Error(
        `The group "${name}" (${id}) follows a source. Use a custom group in GROUPS_OF_PRICES.`,
      );
    }
  }
}
