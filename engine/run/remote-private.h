/* Ranks that are other processes: what the files remote*.c share.
 *   remote.c        its life, what is heard, waiting
 *   remote-tell.c   what is told
 *   remote-hash.c   what rank 0 hashes of others, in its order
 *   remote-open.c   before the lanes and after them: who is who, one clock, the last words
 *   remote-watch.c  processes that have died, news
 *   remote-steer.c  commands that all are to obey: pause, resume, speed, next */
#pragma once

#include "engine/run/executor-private.h"

G_BEGIN_DECLS

typedef enum {
  OL_NOTE_DONE,    /* id: a node, that has done once more */
  OL_NOTE_DATA,    /* id: a send; what it sends follows */
  OL_NOTE_RECEIPT, /* id: a send, whose data lie in their slot */
  OL_NOTE_MET,     /* id: meetings so far; to rank 0: of our lanes, from it: of all, at begin_ns */
  OL_NOTE_STEP,    /* to 0: id: a step of ours from begin_ns to end_ns; losses follow */
  OL_NOTE_WHOLE,   /* from 0: id: steps that all ranks have done */
  OL_NOTE_NEWS,    /* to 0: id spans follow, then memory changes */
  OL_NOTE_HASH,    /* to 0: id: a node; its home's bytes from `first` on follow */
  OL_NOTE_END,     /* id: outcome; message and table follow */
  OL_NOTE_LAST,    /* to 0: nothing comes after it; first: lateness; the replica's digest follows */
  OL_NOTE_BYE,     /* from 0: everybody's last word has come */
  OL_NOTE_PING,    /* to 0: what time is it? */
  OL_NOTE_PONG,    /* from 0: begin_ns */
  OL_NOTE_CLOCKED, /* to 0: I know now */
  OL_NOTE_CONTROL, /* from 0: id: paused; first: how many such notes there were; speed */
  OL_NOTE_PLACE,   /* to 0, while paused: first: of our next node; id: the last such note */
  OL_NOTE_NEXT     /* from 0: that node may begin; begin_ns: modelled time of all so far */
} OlNoteKind;

typedef struct {
  OlNoteKind kind;
  guint id;
  guint64 first;
  gint64 begin_ns, end_ns; /* of spans: in trace time */
  double speed;
} OlNote;

/* Where a rank runs. Alike in all processes, as bytes on the wire. */
typedef struct {
  gint64 pid;
  char host[64];
  char system[128]; /* boot and namespaces: whose process numbers and clock are ours too */
} OlProcess;

struct OlRemote {
  OlExecutor *executor;
  OlComm *comm;
  guint rank, n;
  OlExecutorLane *peer; /* whose thread calls MPI */
  OlProcess *processes; /* [n] */
  int *watched;         /* [n]: pidfd, -1: none */
  gint64 ahead_ns;      /* rank 0's clock less ours */

  atomic_bool to_tell; /* something waits for the next look */
  atomic_uint met, steps_whole;
  atomic_llong instant_ns; /* of the last meeting, by our clock */
  OlRange *hearers_of;     /* [nodes], in hearers: other ranks that wait for a node of ours */
  GArray *hearers;         /* guint */

  pthread_mutex_t lock;     /* guards what follows; taken after the executor's */
  guint arrived;            /* rank 0: ranks whose lanes have all come to the next meeting */
  guint n_spans, n_changes; /* that rank 0 has been told of */
  gint64 news_ns;           /* when it was last */

  /* The thread that hears: */
  GArray *hashes;       /* guint: nodes, in their order */
  atomic_uint hashed;   /* so many of them */
  GQueue held;          /* rank 0: OlHeldNote: of hashes that come later */
  char **digests;       /* [n]: of the ranks' replicas */
  gboolean *last_words; /* [n]: heard */
  guint clocked;
  gint64 pong_ns; /* 0: not yet */
  gboolean bye;

  /* What all have been told, and how often that changed. */
  gboolean paused;
  double speed;
  guint commands;
  /* Under the lock: rank 0: [n]: where the others' next nodes are, while they wait; else ours. */
  guint64 *places;
  gint64 modelled_ns; /* the furthest that any of them is */
};

/* remote-tell.c. Copies [bytes] behind the note. */
void ol_remote_tell(OlRemote *remote, guint to, const OlNote *note, const void *bytes, gsize n);
void ol_remote_tell_all(OlRemote *remote, const OlNote *note, const void *bytes, gsize n);
void ol_remote_tell_news(OlRemote *remote);
void ol_remote_count_arrival(OlRemote *remote);
/* All ranks have met so often, the last time at that moment of our clock. */
void ol_remote_go_on(OlRemote *remote, guint met, gint64 instant_ns);

/* remote-hash.c */
void ol_remote_list_hashes(OlRemote *remote);
gboolean ol_remote_is_hash(const OlRemote *remote, guint node);
void ol_remote_hear_hash(OlRemote *remote, const OlNote *note, const void *bytes, gsize n);

/* remote.c */
void ol_remote_hear(guint from, const void *bytes, gsize n, gpointer data);
void ol_remote_count_done(OlRemote *remote, guint node);

/* remote-steer.c */
void ol_remote_begin_steering(OlRemote *remote);
void ol_remote_steer(OlRemote *remote);
void ol_remote_hear_control(OlRemote *remote, const OlNote *note);
void ol_remote_hear_place(OlRemote *remote, guint from, const OlNote *note);
void ol_remote_hear_next(OlRemote *remote, const OlNote *note);

/* remote-watch.c */
void ol_remote_open_watch(OlRemote *remote);
void ol_remote_close_watch(OlRemote *remote);
gboolean ol_remote_shares_system(const OlRemote *remote, guint rank); /* with this process */
gboolean ol_remote_is_lost(const OlRemote *remote, guint rank);

G_END_DECLS
