import type { Browser, BrowserContextOptions, CDPSession, Page } from 'playwright-core';
import { desktop, launchBrowser, watchFaults } from '../browser.ts';
import { aLoginLink } from '../contract/given.ts';
import type { TestServer, TestSite } from '../test-server.ts';
import { Visitor } from '../visitor.ts';
import { type HttpsFront, startHttpsFront } from './https-front.ts';

/** The browsers of members, on sites below `example.com` that have https. */
export class MembersBrowser {
  /** Errors of scripts, and violations of the policies of pages. */
  readonly faults: string[] = [];
  readonly #front: HttpsFront;
  readonly #browser: Browser;

  private constructor(front: HttpsFront, browser: Browser) {
    this.#front = front;
    this.#browser = browser;
  }

  static async start(server: Pick<TestServer, 'address'>): Promise<MembersBrowser> {
    const front = await startHttpsFront(server.address);
    const rules = `MAP *.example.com:443 127.0.0.1:${front.port}`;
    // Chromium has no passkeys on pages whose certificate it does not accept.
    const browser = await launchBrowser('--ignore-certificate-errors', `--host-resolver-rules=${rules}`);
    return new MembersBrowser(front, browser);
  }

  async stop(): Promise<void> {
    await this.#browser.close();
    this.#front.stop();
  }

  async closePages(): Promise<void> {
    await Promise.all(this.#browser.contexts().map((context) => context.close()));
  }

  /** A page of a new browser with no cookies. */
  async open(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.#browser.newContext({ viewport: desktop, locale: 'en', ...options });
    const page = await context.newPage();
    watchFaults(page, this.faults);
    return page;
  }
}

/** A device that holds passkeys, in the browser of a page. */
export class Authenticator {
  readonly #devtools: CDPSession;
  readonly #id: string;

  private constructor(devtools: CDPSession, id: string) {
    this.#devtools = devtools;
    this.#id = id;
  }

  static async addTo(page: Page): Promise<Authenticator> {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: false,
      },
    });
    return new Authenticator(devtools, authenticatorId);
  }

  /** Whether the person touches it. Then it also answers when the browser only suggests passkeys. */
  async isTouched(enabled: boolean): Promise<void> {
    const authenticatorId = this.#id;
    await this.#devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
  }
}

/** Makes the browser of a page one that does not suggest passkeys in a field. */
export async function suggestNothing(page: Page): Promise<void> {
  await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false;');
}

/** Gives the browser of a page the session of a member who has just logged in by email. */
export async function logInByEmail(page: Page, site: TestSite, memberId: string): Promise<void> {
  const visitor = new Visitor(site);
  await visitor.post(`/_gatehouse/link/${await aLoginLink(site, memberId)}`);
  const url = `https://${await site.domain()}/`;
  await page.context().addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url })));
}
