import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { onTestFinished } from 'vitest';

export interface NameServer {
  /** Asks this name server for all addresses of a name. */
  resolve(name: string): Promise<string[]>;
  /** The questions that were asked, such as `A rebinding.example`. */
  readonly questions: string[];
}

/** Starts a name server for one test (RFC 1035). `answer` returns the addresses of a name, at each question anew. */
export async function startNameServer(answer: (name: string) => readonly string[]): Promise<NameServer> {
  const questions: string[] = [];
  const socket = createSocket('udp4', (message, { port, address }) => {
    const { name, type, end } = readQuestion(message);
    questions.push(`${type} ${name}`);
    const found = answer(name).filter((each) => isIP(each) === (type === 'A' ? 4 : 6));
    socket.send(replyTo(message, end, found), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());

  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  const resolve = async (name: string) => {
    const answers = [resolver.resolve4(name), resolver.resolve6(name)];
    return (await Promise.all(answers.map((each) => each.catch(() => [])))).flat();
  };
  return { resolve, questions };
}

const headerBytes = 12;

function readQuestion(message: Buffer): { name: string; type: 'A' | 'AAAA'; end: number } {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = message[at]!; length > 0; length = message[at]!) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return {
    name: labels.join('.').toLowerCase(),
    type: message.readUInt16BE(at + 1) === 1 ? 'A' : 'AAAA',
    end: at + 5,
  };
}

function replyTo(question: Buffer, end: number, addresses: readonly string[]): Buffer {
  const header = Buffer.from(question.subarray(0, headerBytes));
  header.writeUInt16BE(0x8180, 2); // a response without error
  header.writeUInt16BE(addresses.length, 6);
  header.writeUInt32BE(0, 8); // no further records
  const records = addresses.map((address) => {
    const data = Buffer.from(ipaddr.parse(address).toByteArray());
    const record = Buffer.alloc(12);
    record.writeUInt16BE(0xc000 + headerBytes, 0); // the name of the question
    record.writeUInt16BE(data.length === 4 ? 1 : 28, 2);
    record.writeUInt16BE(1, 4); // of the Internet, valid for 0 s
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([header, question.subarray(headerBytes, end), ...records]);
}
