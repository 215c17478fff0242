/* Members of structures: in arrays, behind pointers, nested, and arrays of their own. */
struct vector { float x, y, z; };
typedef struct { int id; struct vector at[2]; float mass; double time; } particle;
struct fields { double a[4][8], scale; };
void move(int n, int m, float dt, particle *p, const struct vector *restrict v, struct vector g[n][m], struct fields *f) {
  struct fields own;
  own.scale = 2;
#pragma scop
  for (int i = 0; i < n; i++) {
    p[i].at[1].x += dt * v[i].z + p[i].mass;
    for (int j = 0; j < m; j++) g[i][j].y = (&p[j])->at[0].z;
    for (int j = 0; j < 8; j++) f->a[i][j] = own.scale * f->scale;
  }
#pragma endscop
}
