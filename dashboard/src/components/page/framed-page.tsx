import classes from './framed-page.module.css';

/** Another page inside of this one. */
export function FramedPage({ title, address }: { title: string; address: string }) {
  return <iframe className={classes.frame} title={title} src={address} />;
}
