import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, serverCore } from '../process.ts';

export interface NginxProcess {
  readonly address: string;
  stop(): Promise<void>;
}

/** Starts nginx for a folder of files, each checked with Gatehouse, on the core of the server. */
export async function startNginx(
  folder: string,
  { site, domain, gatehousePort }: { site: string; domain: string; gatehousePort: number },
): Promise<NginxProcess> {
  const port = await freePort();
  const own = path.join(folder, 'nginx');
  mkdirSync(own, { recursive: true });
  writeFileSync(path.join(own, 'nginx.conf'), configuration(port, gatehousePort, site, domain));
  const args = ['-c', String(serverCore), 'nginx', '-e', 'stderr', '-p', own, '-c', 'nginx.conf'];
  const child = spawn('taskset', args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: `${process.env.PATH}:/usr/sbin` },
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const address = `http://127.0.0.1:${port}`;
  await untilListening(child, address);
  return {
    address,
    stop: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function untilListening(child: ChildProcess, address: string): Promise<void> {
  for (let tries = 0; tries < 500 && child.exitCode === null; tries += 1, await sleep(10)) {
    const response = await fetch(address).catch(() => undefined);
    await response?.text();
    if (response) return;
  }
  throw new Error('nginx does not answer.');
}

/** The part of the guide that serves files. */
function configuration(port: number, gatehousePort: number, site: string, domain: string): string {
  return `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid nginx.pid;
events { worker_connections 512; }
http {
  types { text/html html; }
  access_log off;
  sendfile on;
  keepalive_requests 1000000;
  upstream gatehouse { server 127.0.0.1:${gatehousePort}; keepalive 64; keepalive_requests 1000000; }
  server {
    listen 127.0.0.1:${port};
    root ${site};
    auth_request /_gatehouse/auth;
    location / { add_header Cache-Control "private, no-cache"; }
    location = /_gatehouse/auth {
      internal;
      auth_request off;
      proxy_pass http://gatehouse/_gatehouse/auth?method=$request_method;
      proxy_http_version 1.1;
      proxy_pass_request_body off;
      proxy_set_header Content-Length "";
      proxy_set_header Connection "";
      proxy_set_header Host ${domain};
      proxy_set_header X-Forwarded-Host ${domain};
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Original-URI $request_uri;
    }
  }
}
`;
}
