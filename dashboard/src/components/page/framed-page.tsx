import { useEffect, useRef, useState } from 'react';
import classes from './framed-page.module.css';

/** Another page inside of this one. When its address changes, Back still leads to the page before this one. */
export function FramedPage({ title, address }: { title: string; address: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [first] = useState(address);
  const shown = useRef(first);
  useEffect(() => {
    if (shown.current === address) return;
    shown.current = address;
    frame.current!.contentWindow!.location.replace(new URL(address, location.href));
  }, [address]);
  return <iframe className={classes.frame} title={title} src={first} ref={frame} />;
}
